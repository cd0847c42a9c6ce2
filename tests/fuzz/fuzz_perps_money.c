/* Any answer of the venue of perpetuals, Circle or a node about dollars: it is refused, or the result is
 * whole and within the question. The first byte says which answer it is. */
#include <string.h>

#include "answers.h"
#include "base/json_reader.h"
#include "perps/usdc_routes.h"
#include "perps/venue_ledger.h"
#include "perps/withdrawal_payment.h"

static const struct evm_addr user = { "the holder of all.." };
static const char *const taken[] = { "0xaa", NULL };

static void read_ledger(struct arena *a, const struct buf *answer)
{
    const struct ledger_wanted w = { .most = u256_from_u64(UINT64_MAX), .taken = taken };
    const struct ledger_row *row;
    struct venue_ledger l;
    struct u256 kept;

    if (!venue_ledger_read(a, answer, &user, &l))
        return;
    for (size_t i = 0; i < l.count; i++) {
        MUST(*l.rows[i].id != '\0' && l.rows[i].time_ms >= 0);
        MUST(l.rows[i].what != LEDGER_WITHDRAWAL || venue_ledger_has(&l, l.rows[i].nonce));
    }
    row = venue_ledger_credit(&l, &w, &kept);
    if (row != NULL)
        MUST(row->what == LEDGER_CREDIT && strcmp(row->id, taken[0]) != 0 &&
             u256_cmp(kept, row->amount) <= 0 && u256_cmp(row->amount, w.most) <= 0);
}

static void payments_check(struct arena *a, const struct buf *answer, enum perps_route route)
{
    const struct withdrawal_payment_wanted w = { .chain = chain_find("arbitrum"),
                                                 .route = route,
                                                 .wallet = user,
                                                 .most = u256_from_u64(40000000),
                                                 .expected = u256_from_u64(39000000),
                                                 .least = u256_from_u64(37000000),
                                                 .taken = taken };
    struct rpc_answer said = { .result = json_read(answer->data, answer->len) };
    struct withdrawal_payment p = { .id = "" };

    if (said.result != NULL && withdrawal_payments_read(a, &said, &w, &p) && *p.id != '\0')
        MUST(p.tx.len == 32 && u256_cmp(p.amount, w.least) >= 0 && u256_cmp(p.amount, w.most) <= 0);
    json_decref(said.result);
}

static void read_withdrawal_payments(struct arena *a, const struct buf *answer)
{
    payments_check(a, answer, PERPS_BRIDGE);
    payments_check(a, answer, PERPS_CCTP);
}

static void read_routes(struct arena *a, const struct buf *answer)
{
    enum perps_route in = 0, out = 0;
    struct u256 gas;
    bool there;

    if (usdc_read_routing(answer, &in, &out))
        MUST((in == PERPS_BRIDGE || in == PERPS_CCTP) && (out == PERPS_BRIDGE || out == PERPS_CCTP));
    (void)usdc_read_role(answer, &there);
    (void)usdc_read_gas(a, answer, &gas);
}

static void read_fees(struct arena *a, const struct buf *answer)
{
    struct usdc_cost cost;

    (void)a;
    if (usdc_read_fees(answer, u256_from_u64(1000000000), &cost))
        MUST(u256_cmp(cost.expected, cost.most) <= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static answer_fn *const readers[] = { read_ledger, read_withdrawal_payments, read_routes, read_fees };

    return answers_fuzz(readers, sizeof readers / sizeof readers[0], data, size);
}
