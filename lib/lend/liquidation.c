#include "lend/liquidation.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "codec/hex.h"
#include "lend/aave.h"
#include "lend/morpho.h"
#include "venue/aave_calls.h"
#include "venue/contracts.h"
#include "venue/morpho_calls.h"

/* LiquidationCall(address indexed collateral, address indexed debt, address indexed user, uint256 repaid,
 * uint256 taken, address liquidator, bool receiveAToken) */
static const char AAVE[] = "0xe413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286";
/* Liquidate(bytes32 indexed id, address indexed caller, address indexed borrower, uint256 repaidAssets,
 * uint256 repaidShares, uint256 seizedAssets, uint256 badDebtAssets, uint256 badDebtShares) */
static const char MORPHO[] = "0xa4946ede45d0c6f06a0f5ce92c9ad3b4751452d2fe0e25010783bcab57a67e41";

/* In both the third one after the signature is whose debt it is. */
enum { TOPIC_WALLET = 3, TOPICS };

/* ---- asking ---- */

static void ask_addresses(struct buf *out, const struct chain *c)
{
    const struct contract *pool = contract_of(c, &aave_pool), *blue = contract_of(c, &morpho_blue);

    if (pool != NULL)
        buf_addf(out, "\"%s\"", pool->address);
    if (blue != NULL)
        buf_addf(out, "%s\"%s\"", pool != NULL ? "," : "", blue->address);
}

static void ask_wallets(struct buf *out, const struct evm_addr *wallets, size_t count)
{
    char hex[2 * EVM_ADDR_LEN + 1];

    for (size_t i = 0; i < count; i++) {
        hex_encode(hex, wallets[i].bytes, EVM_ADDR_LEN);
        buf_addf(out, "%s\"0x000000000000000000000000%s\"", i > 0 ? "," : "", hex);
    }
}

void liquidations_ask(struct rpc_batch *b, const struct chain *c, uint64_t from, uint64_t to,
                      const struct evm_addr *wallets, size_t count)
{
    rpc_add_begin(b, "eth_getLogs");
    buf_addf(b->out, "[{\"fromBlock\":\"0x%llx\",\"toBlock\":\"0x%llx\",\"address\":[",
             (unsigned long long)from, (unsigned long long)to);
    ask_addresses(b->out, c);
    buf_addf(b->out, "],\"topics\":[[\"%s\",\"%s\"],null,null,[", AAVE, MORPHO);
    ask_wallets(b->out, wallets, count);
    buf_addf(b->out, "]]}]");
    rpc_add_end(b);
}

/* ---- reading ---- */

static const char *text_of(const json_t *log, const char *name)
{
    const char *text = json_string_value(json_object_get(log, name));

    return text != NULL ? text : "";
}

static bool topics_read(uint8_t out[static TOPICS][HASH_LEN], const json_t *log)
{
    const json_t *topics = json_object_get(log, "topics");
    size_t n;

    for (size_t i = 0; i < TOPICS; i++) {
        const char *text = json_string_value(json_array_get(topics, i));

        if (text == NULL || !hex_decode_0x(out[i], HASH_LEN, &n, text) || n != HASH_LEN)
            return false;
    }
    return json_array_size(topics) == TOPICS;
}

static struct evm_addr address_in(const uint8_t topic[static HASH_LEN])
{
    struct evm_addr a;

    memcpy(a.bytes, topic + HASH_LEN - EVM_ADDR_LEN, EVM_ADDR_LEN);
    return a;
}

static bool place_read(struct lend_liquidation *out, const json_t *log)
{
    size_t n;

    if (json_is_true(json_object_get(log, "removed")) || !rpc_member_u64(&out->block, log, "blockNumber") ||
        !rpc_member_u64(&out->log_index, log, "logIndex") ||
        !hex_decode_0x(out->tx.bytes, HASH_LEN, &n, text_of(log, "transactionHash")) || n != HASH_LEN)
        return false;
    out->tx.len = HASH_LEN;
    return true;
}

static bool log_is_of(const struct chain *c, const struct contract_kind *kind, const json_t *log,
                      const char *event)
{
    const struct contract *k = contract_of(c, kind);
    struct evm_addr at;

    return k != NULL && evm_addr_parse(&at, text_of(log, "address")) && evm_addr_eq(at, contract_addr(k)) &&
           strcasecmp(event, json_string_value(json_array_get(json_object_get(log, "topics"), 0))) == 0;
}

bool liquidation_read(struct lend_liquidation *out, const struct chain *c, const json_t *log)
{
    enum { AAVE_WORDS = 4, MORPHO_WORDS, WORDS_MAX = MORPHO_WORDS, REPAID = 0, AAVE_TAKEN, MORPHO_TAKEN };
    uint8_t topics[TOPICS][HASH_LEN], data[WORDS_MAX * ABI_WORD];
    bool of_aave;
    size_t n;

    *out = (struct lend_liquidation){ .block = 0 };
    if (!topics_read(topics, log) || !place_read(out, log) ||
        !hex_decode_0x(data, sizeof data, &n, text_of(log, "data")))
        return false;
    of_aave = log_is_of(c, &aave_pool, log, AAVE);
    if (!of_aave && !log_is_of(c, &morpho_blue, log, MORPHO))
        return false;
    out->protocol = of_aave ? aave_lender.protocol : morpho_lender.protocol;
    out->wallet = address_in(topics[TOPIC_WALLET]);
    if (of_aave) {
        out->collateral = address_in(topics[1]);
        out->debt = address_in(topics[2]);
    } else {
        memcpy(out->market, topics[1], HASH_LEN);
    }
    return n == (of_aave ? AAVE_WORDS : MORPHO_WORDS) * ABI_WORD &&
           abi_get_u256(&out->repaid, data, n, REPAID) &&
           abi_get_u256(&out->taken, data, n, of_aave ? AAVE_TAKEN : MORPHO_TAKEN);
}

size_t liquidations_append(struct lend_liquidation *list, size_t count, struct lend_liquidation next)
{
    next.place = 0;
    for (size_t i = 0; i < count; i++) {
        if (!tx_hash_equal(&list[i].tx, &next.tx))
            continue;
        if (list[i].log_index == next.log_index)
            return count;
        if (evm_addr_eq(list[i].wallet, next.wallet))
            next.place++;
    }
    list[count] = next;
    return count + 1;
}
