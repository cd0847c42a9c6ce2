#include "exec/evm/fees.h"

#include <jansson.h>

#include "chain/evm/rpc.h"
#include "service/conf.h"

/* Fees are derived from the base fee and a tip within the chain's bounds, never from a node's suggestion: a
 * node that learns from our bids would drive the price up with us. */

void fees_ask(struct rpc_batch *b, const struct chain *c)
{
    if (c->legacy_fees)
        rpc_add(b, "eth_gasPrice", "[]");
    else
        rpc_add(b, "eth_feeHistory", "[\"0xa\",\"latest\",[50]]");
}

static bool last_base_fee(struct u256 *out, const json_t *history)
{
    const json_t *list = json_object_get(history, "baseFeePerGas");
    size_t n = json_array_size(list);
    const char *text = n == 0 ? NULL : json_string_value(json_array_get(list, n - 1));

    return text != NULL && u256_parse_hex(out, text);
}

static int by_value(const void *x, const void *y)
{
    return u256_cmp(*(const struct u256 *)x, *(const struct u256 *)y);
}

/* The median of the blocks' median tips. */
static struct u256 median_tip(const json_t *history)
{
    enum { MAX = 32 };
    const json_t *list = json_object_get(history, "reward");
    struct u256 tips[MAX];
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(list) && n < MAX; i++) {
        const char *text = json_string_value(json_array_get(json_array_get(list, i), 0));

        if (text != NULL && u256_parse_hex(&tips[n], text))
            n++;
    }
    if (n == 0)
        return U256_ZERO;
    qsort(tips, n, sizeof tips[0], by_value);
    return tips[n / 2];
}

static struct u256 clamp_tip(struct u256 tip, const struct ctx *ctx, const struct chain *c)
{
    struct u256 min = u256_from_u64(conf_chain_number(ctx->conf, "tip_min", c->key, c->tip_min));
    struct u256 max = u256_from_u64(conf_chain_number(ctx->conf, "tip_max", c->key, c->tip_max));

    if (u256_cmp(tip, min) < 0)
        return min;
    return u256_cmp(tip, max) > 0 ? max : tip;
}

static bool legacy_fees(struct fees *out, const struct rpc_answer *answer)
{
    struct u256 price;

    out->legacy = true;
    /* 15 % above what the node asks, so that the next blocks still take it. */
    return rpc_u256(&price, answer) &&
           u256_muldiv(&out->max_fee, price, u256_from_u64(115), u256_from_u64(100));
}

bool fees_read(struct fees *out, const struct ctx *ctx, const struct chain *c,
               const struct rpc_answer *answer)
{
    struct u256 base;

    *out = (struct fees){ .legacy = false };
    if (c->legacy_fees)
        return legacy_fees(out, answer);
    if (answer->result == NULL || !last_base_fee(&base, answer->result))
        return false;
    out->priority_fee = clamp_tip(median_tip(answer->result), ctx, c);
    return u256_add(&out->max_fee, base, base) && u256_add(&out->max_fee, out->max_fee, out->priority_fee);
}
