#include "exec/evm/fees.h"

#include <jansson.h>

#include "base/incident.h"
#include "chain/evm/evm_rpc.h"
#include "service/conf.h"

/* Fees are derived from the base fee and a tip within the chain's bounds, never from a node's suggestion: a
 * node that learns from our bids would drive the price up with us. Where there is no base fee there is only
 * the suggestion, and the bid is the price: it is held against other nodes' and against what blocks have
 * paid. */

enum {
    PRICES_MAX = 32,
    ABOVE_BLOCKS = 3, /* times what the last blocks paid is the most that a node is believed */
    APART = 4,        /* times the least of what was said: one of them is wrong, or lies */
    HOLD_MS = 1500,
    EACH_MS = 1000, /* a slow one is not waited for */
};
static const char of_ten_blocks[] = /* of the last ten blocks, the medians */
    "[\"0xa\",\"latest\",[50]]";

void fees_ask(struct rpc_batch *b, const struct chain *c)
{
    if (c->legacy_fees)
        rpc_add(b, "eth_gasPrice", "[]");
    else
        rpc_add(b, "eth_feeHistory", "%s", of_ten_blocks);
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

/* Zero where there are none. Sorts them. */
static struct u256 median(struct u256 *of, size_t n)
{
    if (n == 0)
        return U256_ZERO;
    qsort(of, n, sizeof of[0], by_value);
    return of[n / 2];
}

static bool hex_item(struct u256 *out, const json_t *list, size_t i)
{
    const char *text = json_string_value(json_array_get(list, i));

    return text != NULL && u256_parse_hex(out, text);
}

/* The median of the blocks' median tips. */
static struct u256 median_tip(const json_t *of)
{
    const json_t *list = json_object_get(of, "reward");
    struct u256 tips[PRICES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(list) && n < PRICES_MAX; i++)
        if (hex_item(&tips[n], json_array_get(list, i), 0))
            n++;
    return median(tips, n);
}

static struct u256 tip_min(const struct ctx *ctx, const struct chain *c)
{
    return u256_from_u64(conf_chain_number(ctx->conf, "tip_min", c->key, c->tip_min));
}

static struct u256 clamp_tip(struct u256 tip, const struct ctx *ctx, const struct chain *c)
{
    struct u256 min = tip_min(ctx, c);
    struct u256 max = u256_from_u64(conf_chain_number(ctx->conf, "tip_max", c->key, c->tip_max));

    if (u256_cmp(tip, min) < 0)
        return min;
    return u256_cmp(tip, max) > 0 ? max : tip;
}

static struct u256 price_max(const struct ctx *ctx, const struct chain *c)
{
    return u256_from_u64(conf_chain_number(ctx->conf, "gas_price_max", c->key, c->price_max));
}

static bool read_price(struct u256 *out, const struct rpc_answer *answer)
{
    struct u256 price;

    /* 15 % above what the node asks, so that the next blocks still take it. */
    return rpc_u256(&price, answer) && u256_muldiv(out, price, u256_from_u64(115), u256_from_u64(100));
}

static struct u256 lesser(struct u256 x, struct u256 y)
{
    return u256_cmp(x, y) < 0 ? x : y;
}

static struct u256 greater(struct u256 x, struct u256 y)
{
    return u256_cmp(x, y) > 0 ? x : y;
}

static bool legacy_fees(struct fees *out, const struct ctx *ctx, const struct chain *c,
                        const struct rpc_answer *answer)
{
    struct u256 price;

    out->legacy = true;
    if (!read_price(&price, answer))
        return false;
    out->max_fee = lesser(price, price_max(ctx, c));
    return true;
}

bool fees_read(struct fees *out, const struct ctx *ctx, const struct chain *c,
               const struct rpc_answer *answer)
{
    struct u256 base;

    *out = (struct fees){ .legacy = false };
    if (c->legacy_fees)
        return legacy_fees(out, ctx, c, answer);
    if (answer->result == NULL || !last_base_fee(&base, answer->result))
        return false;
    out->priority_fee = clamp_tip(median_tip(answer->result), ctx, c);
    return u256_add(&out->max_fee, base, base) && u256_add(&out->max_fee, out->max_fee, out->priority_fee);
}

/* ---- other sources ---- */

enum { AT_PRICE, AT_HISTORY };

unsigned price_opinions_ask(struct price_opinions *out, struct node_query *queries, const struct chain *c)
{
    *out = (struct price_opinions){ .body = BUF_INIT(1024) };
    if (!c->legacy_fees)
        return 0;
    out->batch = rpc_begin(&out->body);
    rpc_add(&out->batch, "eth_gasPrice", "[]");
    rpc_add(&out->batch, "eth_feeHistory", "%s", of_ten_blocks);
    rpc_end(&out->batch);
    node_pair(queries, c, &out->batch, EACH_MS);
    return NODE_OPINIONS;
}

void price_opinions_free(struct price_opinions *o)
{
    buf_free(&o->body);
}

/* The median of the prices that blocks paid for gas; zero where the node does not report it. Without a tip a
 * block was empty. */
static struct u256 median_price(const json_t *of)
{
    const json_t *bases = json_object_get(of, "baseFeePerGas"), *rewards = json_object_get(of, "reward");
    struct u256 prices[PRICES_MAX], base, tip;
    size_t n = 0;

    for (size_t i = 0; i < json_array_size(rewards) && n < PRICES_MAX; i++)
        if (hex_item(&base, bases, i) && hex_item(&tip, json_array_get(rewards, i), 0) &&
            !u256_is_zero(tip) && u256_add(&prices[n], base, tip))
            n++;
    return median(prices, n);
}

/* The price that one node's answers allow: its own, but no more than some times the price that blocks paid by
 * its answer. */
static bool opinion_read(struct u256 *allowed, const struct rpc_answers *as)
{
    struct u256 paid, most;

    if (!read_price(allowed, &as->items[AT_PRICE]))
        return false;
    paid = as->items[AT_HISTORY].result == NULL ? U256_ZERO : median_price(as->items[AT_HISTORY].result);
    if (!u256_is_zero(paid) && u256_mul(&most, paid, u256_from_u64(ABOVE_BLOCKS)))
        *allowed = lesser(*allowed, most);
    return true;
}

static const struct err *price_disputed(struct arena *a, const struct chain *c)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "chain=%s", c->key);
    log_repeated("gas_price_disputed", about,
                 "msg=\"a node's price of gas is far above others' or blocks'\"");
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a,
                                 "What gas costs on the chain '%s' is disputed among its nodes and blocks: "
                                 "nothing was signed, retry with backoff",
                                 c->key));
}

static const struct err *price_above(struct arena *a, const struct chain *c)
{
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a,
                                 "Gas on the chain '%s' costs more than the operator pays "
                                 "(gas_price_max.%s): nothing was signed",
                                 c->key, c->key));
}

const struct err *price_opinions_hold(struct fees *f, const struct ctx *ctx, struct arena *a,
                                      const struct chain *c, struct node_query *queries, unsigned count)
{
    struct u256 least = f->max_fee, dearest = U256_ZERO, most = price_max(ctx, c), bound;

    if (!c->legacy_fees)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        struct u256 allowed;

        if (!queries[i].answered)
            continue;
        if (opinion_read(&allowed, &queries[i].answers)) {
            least = lesser(least, allowed);
            dearest = u256_cmp(allowed, dearest) > 0 ? allowed : dearest;
        }
        rpc_answers_free(&queries[i].answers);
    }
    /* Below it no node takes anything. */
    f->max_fee = lesser(greater(least, tip_min(ctx, c)), most);
    if (u256_cmp(least, most) >= 0)
        return price_above(a, c);
    return u256_mul(&bound, least, u256_from_u64(APART)) && u256_cmp(dearest, bound) > 0
               ? price_disputed(a, c)
               : NULL;
}

struct fees fees_now(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct fees *seen)
{
    struct fees now = *seen;
    struct price_opinions o;
    struct node_query queries[NODE_OPINIONS];
    unsigned count = price_opinions_ask(&o, queries, c);

    if (count > 0)
        node_ask_all(ctx, queries, count, HOLD_MS, a);
    (void)price_opinions_hold(&now, ctx, a, c, queries, count);
    price_opinions_free(&o);
    return now;
}

struct fees fees_bounded(const struct ctx *ctx, const struct chain *c, struct fees f)
{
    if (c->legacy_fees)
        f.max_fee = lesser(f.max_fee, price_max(ctx, c));
    return f;
}
