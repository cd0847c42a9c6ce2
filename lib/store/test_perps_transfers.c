#include "store/perps_transfers.h"

#include "store/executions.h"
#include "store/requests.h"
#include "store/test_store.h"

enum { AGENT = 95, WALLET = 6201, OTHER_WALLET = 6202, MILLION = 1000000 };

static uint64_t transfer_new(enum exec_kind_id kind, uint64_t wallet_id, uint64_t dollars)
{
    struct execution x = swap_terms(AGENT, wallet_id);
    struct perps_transfer t = { .agent_id = AGENT,
                                .wallet_id = wallet_id,
                                .kind = kind,
                                .route = PERPS_CCTP,
                                .chain_id = 42161,
                                .amount = u256_from_u64(dollars * MILLION),
                                .expected = u256_from_u64(dollars * MILLION - 5),
                                .least = u256_from_u64(dollars * MILLION - 9),
                                .block = 77 };

    have_agent(AGENT);
    x.kind = kind;
    x.once = uuid_random();
    x.amount_in = t.amount;
    add_swap(&x, 0);
    t.execution_id = x.id;
    CHECK(perps_transfers_put(db, &t));
    return x.id;
}

static void transfers_are_read_as_stored(void)
{
    uint64_t id = transfer_new(KIND_PERPS_WITHDRAWAL, WALLET, 40);
    struct perps_transfer t;

    CHECK(perps_transfers_get(db, id, &t) == LOOKUP_FOUND && t.execution_id == id && t.agent_id == AGENT);
    CHECK(t.wallet_id == WALLET && t.kind == KIND_PERPS_WITHDRAWAL && t.route == PERPS_CCTP);
    CHECK(t.chain_id == 42161 && t.block == 77 && u256_cmp(t.amount, u256_from_u64(40 * MILLION)) == 0);
    CHECK(u256_cmp(t.expected, u256_from_u64(40 * MILLION - 5)) == 0);
    CHECK(u256_cmp(t.least, u256_from_u64(40 * MILLION - 9)) == 0);
    t.route = PERPS_BRIDGE; /* once it is planned anew */
    CHECK(perps_transfers_put(db, &t));
    CHECK(perps_transfers_get(db, id, &t) == LOOKUP_FOUND && t.route == PERPS_BRIDGE);
    CHECK(perps_transfers_get(db, 4711, &t) == LOOKUP_NONE);
}

/* A credit or payment is one transfer's. */
static void a_proof_is_one_transfers(void)
{
    uint64_t ids[] = { transfer_new(KIND_PERPS_DEPOSIT, OTHER_WALLET, 70),
                       transfer_new(KIND_PERPS_DEPOSIT, OTHER_WALLET, 70) };
    const char *const *proofs;

    CHECK(perps_transfers_proofs(db, a, OTHER_WALLET, 1, &proofs) && proofs[0] == NULL);
    for (unsigned i = 0; i < 2; i++) {
        struct venue_request r = { .effect = { .execution_id = ids[i], .wallet_id = OTHER_WALLET },
                                   .venue = "hyperliquid-credit",
                                   .venue_key = { 200, (uint8_t)i },
                                   .signing_key = (const uint8_t *)"key",
                                   .signing_key_len = 3,
                                   .body = (const uint8_t *)"{}",
                                   .body_len = 2 };

        CHECK(requests_add(db, &r) && requests_told(db, r.effect.id, "0xcc", NULL));
    }
    CHECK(perps_transfers_prove(db, ids[0]));
    CHECK(!perps_transfers_prove(db, ids[1]) && db_duplicate(db));
    CHECK(perps_transfers_proofs(db, a, OTHER_WALLET, 1, &proofs));
    CHECK_STR(proofs[0], "0xcc");
    CHECK(proofs[1] == NULL);
}

/* The sum has only withdrawals that are not at the venue yet, or came there after the poll. */
static void unpaid_withdrawals_are_summed(void)
{
    enum { THIRD_WALLET = 6203 };
    uint64_t id = transfer_new(KIND_PERPS_WITHDRAWAL, THIRD_WALLET, 30);
    struct execution x = { .id = id, .agent_id = AGENT, .kind = KIND_PERPS_WITHDRAWAL };
    struct u256 sum;
    int64_t now;

    (void)transfer_new(KIND_PERPS_WITHDRAWAL, THIRD_WALLET, 12);
    (void)transfer_new(KIND_PERPS_DEPOSIT, THIRD_WALLET, 500);
    CHECK(db_clock_ms(db, &now));
    CHECK(perps_transfers_leaving(db, THIRD_WALLET, now, &sum) && sum.limb[0] == 42 * MILLION);
    CHECK(move(&x, EXEC_PENDING, EXEC_SUBMITTED) == 1);
    CHECK(perps_transfers_leaving(db, THIRD_WALLET, now - 60000, &sum) && sum.limb[0] == 42 * MILLION);
    CHECK(perps_transfers_leaving(db, THIRD_WALLET, now + 60000, &sum) && sum.limb[0] == 12 * MILLION);
    CHECK(move(&x, EXEC_SUBMITTED, EXEC_FAILED) == 1);
    CHECK(perps_transfers_leaving(db, THIRD_WALLET, now - 60000, &sum) && sum.limb[0] == 12 * MILLION);
}

/* All that the tests before have made. */
static void lists_are_newest_first(void)
{
    struct page page = { .limit = 3, .offset = 1 };
    struct own_filter any = { .listed = 0 }, some = { .listed = EXEC_PENDING, .more.created.until_ms = 1 };
    const struct agent agent = { .id = AGENT }, other = { .id = AGENT + 1 };
    struct own_listed list[3];
    uint64_t total;
    int n = perps_transfers_page(db, a, &agent, &any, &page, list, &total);

    CHECK(n == 3 && total == 6);
    CHECK(list[0].execution.id > list[1].execution.id && list[1].execution.id > list[2].execution.id);
    CHECK(list[0].execution.kind == KIND_PERPS_WITHDRAWAL && list[0].execution.status == EXEC_PENDING);
    CHECK(perps_transfers_page(db, a, &agent, &some, &page, list, &total) == 0 && total == 0);
    CHECK(perps_transfers_page(db, a, &other, &any, &page, list, &total) == 0 && total == 0);
}

STORE_TEST_MAIN(TEST(transfers_are_read_as_stored), TEST(a_proof_is_one_transfers),
                TEST(unpaid_withdrawals_are_summed), TEST(lists_are_newest_first))
