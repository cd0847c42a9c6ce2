#include "perps/withdrawal_payment.h"

#include <string.h>
#include <strings.h>

#include "chain/evm/evm_rpc.h"
#include "chain/tokens.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "venue/contracts.h"
#include "venue/hyperliquid_deposit.h"

/* Transfer(address indexed from, address indexed to, uint256 value) */
static const char TRANSFER[] = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

enum { LOGS_MAX = 1000, TOPICS = 3, TOPIC_FROM = 1, TOPIC_TO = 2, PAYERS_MAX = 2 };

/* The payers of a route: Circle's payments are minted. */
static unsigned payers_of(const struct withdrawal_payment_wanted *w, struct evm_addr out[static PAYERS_MAX])
{
    const struct contract *k =
        contract_of(w->chain, w->route == PERPS_BRIDGE ? &hyperliquid_bridge : &circle_messenger);
    unsigned n = 0;

    if (k != NULL)
        out[n++] = contract_addr(k);
    if (w->route == PERPS_CCTP)
        out[n++] = (struct evm_addr){ { 0 } };
    return n;
}

/* ---- asking ---- */

static void word_write(struct buf *out, struct evm_addr address)
{
    char hex[2 * EVM_ADDR_LEN + 1];

    hex_encode(hex, address.bytes, EVM_ADDR_LEN);
    buf_addf(out, "\"0x000000000000000000000000%s\"", hex);
}

void withdrawal_payments_ask(struct rpc_batch *b, const struct withdrawal_payment_wanted *w, uint64_t from,
                             uint64_t to)
{
    struct evm_addr payers[PAYERS_MAX];
    unsigned n = payers_of(w, payers);

    rpc_add_begin(b, "eth_getLogs");
    buf_addf(b->out, "[{\"fromBlock\":\"0x%llx\",\"toBlock\":", (unsigned long long)from);
    if (to != 0)
        buf_addf(b->out, "\"0x%llx\"", (unsigned long long)to);
    else
        buf_adds(b->out, "\"latest\"");
    buf_addf(b->out, ",\"address\":\"%s\",\"topics\":[\"%s\",[", token_find(w->chain, "USDC")->address_text,
             TRANSFER);
    for (unsigned i = 0; i < n; i++) {
        buf_adds(b->out, i > 0 ? "," : "");
        word_write(b->out, payers[i]);
    }
    buf_adds(b->out, "],");
    word_write(b->out, w->wallet);
    buf_adds(b->out, "]}]");
    rpc_add_end(b);
}

/* ---- reading ---- */

static const char *text_of(const json_t *log, const char *name)
{
    const char *text = json_string_value(json_object_get(log, name));

    return text != NULL ? text : "";
}

static bool topic_read(uint8_t out[static HASH_LEN], const json_t *log, size_t i)
{
    const char *text = json_string_value(json_array_get(json_object_get(log, "topics"), i));
    size_t n;

    return text != NULL && hex_decode_0x(out, HASH_LEN, &n, text) && n == HASH_LEN;
}

static bool topic_is(const json_t *log, size_t i, struct evm_addr address)
{
    static const uint8_t zeros[HASH_LEN - EVM_ADDR_LEN];
    uint8_t topic[HASH_LEN];

    return topic_read(topic, log, i) && memcmp(topic, zeros, sizeof zeros) == 0 &&
           memcmp(topic + sizeof zeros, address.bytes, EVM_ADDR_LEN) == 0;
}

/* Nodes may send more than they were asked for. */
static bool is_payment(const json_t *log, const struct withdrawal_payment_wanted *w)
{
    struct evm_addr payers[PAYERS_MAX];
    const char *event = json_string_value(json_array_get(json_object_get(log, "topics"), 0));
    unsigned n = payers_of(w, payers);
    bool paid = false;

    for (unsigned i = 0; i < n; i++)
        paid = paid || topic_is(log, TOPIC_FROM, payers[i]);
    return paid && event != NULL && strcasecmp(event, TRANSFER) == 0 && topic_is(log, TOPIC_TO, w->wallet) &&
           json_array_size(json_object_get(log, "topics")) == TOPICS &&
           strcasecmp(text_of(log, "address"), token_find(w->chain, "USDC")->address_text) == 0 &&
           !json_is_true(json_object_get(log, "removed"));
}

static bool payment_read(struct withdrawal_payment *out, struct arena *a, const json_t *log)
{
    uint8_t amount[U256_BYTES];
    uint64_t index;
    size_t n;

    if (!hex_decode_0x(out->tx.bytes, HASH_LEN, &n, text_of(log, "transactionHash")) || n != HASH_LEN ||
        !rpc_member_u64(&out->block, log, "blockNumber") || !rpc_member_u64(&index, log, "logIndex") ||
        !rpc_member_bytes(amount, sizeof amount, log, "data"))
        return false;
    out->tx.len = HASH_LEN;
    out->amount = u256_from_be(amount);
    out->id = arena_printf(a, "%s:%llu", text_of(log, "transactionHash"), (unsigned long long)index);
    return true;
}

static bool is_taken(const struct withdrawal_payment_wanted *w, const char *id)
{
    for (size_t i = 0; w->taken[i] != NULL; i++)
        if (strcmp(w->taken[i], id) == 0)
            return true;
    return false;
}

static bool is_better(const struct withdrawal_payment_wanted *w, const struct withdrawal_payment *p,
                      const struct withdrawal_payment *best)
{
    if (u256_cmp(p->amount, w->least) < 0 || u256_cmp(p->amount, w->most) > 0 || is_taken(w, p->id))
        return false;
    if (*best->id == '\0')
        return true;
    if (u256_cmp(best->amount, w->expected) == 0)
        return false;
    return u256_cmp(p->amount, w->expected) == 0 || u256_cmp(p->amount, best->amount) > 0;
}

bool withdrawal_payments_read(struct arena *a, const struct rpc_answer *answer,
                              const struct withdrawal_payment_wanted *w, struct withdrawal_payment *out)
{
    const json_t *log;
    size_t i;

    if (!json_is_array(answer->result) || json_array_size(answer->result) > LOGS_MAX)
        return false;
    json_array_foreach(answer->result, i, log)
    {
        struct withdrawal_payment p;

        if (!is_payment(log, w))
            continue;
        if (!payment_read(&p, a, log))
            return false;
        if (is_better(w, &p, out))
            *out = p;
    }
    return true;
}
