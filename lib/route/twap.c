#include "route/twap.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "venue/contracts.h"
#include "venue/uniswap_v3.h"

#define SEL_OBSERVE 0x883bdbfdu /* too large for an enumerator */

enum { CALL_BYTES = 64 * 1024, TICK_MAX = 887272, EACH_MS = 1000 /* a slow one is not waited for */ };

/* The windows in seconds, the longest first: a pool whose observations begin later reverts. */
static const uint32_t windows[] = { 1800, 600, 200, 60, 20, 6, 2 };
static const uint32_t tiers[] = { 100, 500, 3000, 10000 };

enum {
    WINDOWS = sizeof windows / sizeof windows[0],
    TIERS = sizeof tiers / sizeof tiers[0],
};

/* ---- asking ---- */

/* Asks for the pool's observations then and now, for each window. */
static void ask_observations(struct multicall *m, struct evm_addr pool)
{
    struct buf data = BUF_INIT(256);

    for (unsigned w = 0; w < WINDOWS; w++) {
        buf_reset(&data);
        abi_selector(&data, SEL_OBSERVE);
        abi_u64(&data, 32);
        abi_u64(&data, 2);
        abi_u64(&data, windows[w]);
        abi_u64(&data, 0);
        multicall_add(m, pool, &data);
    }
    buf_free(&data);
}

static void twap_add_leg(struct twap *q, struct evm_addr from, struct evm_addr to)
{
    q->legs[q->count++] = (struct twap_leg){ from, to };
}

/* The coin itself is priced as its wrapped form. */
static void twap_add_legs(struct twap *q, struct evm_addr coin)
{
    struct evm_addr dollar = token_addr(q->dollar);
    struct evm_addr token = token_is_native(q->token) ? coin : token_addr(q->token);

    twap_add_leg(q, token, dollar);
    if (evm_addr_eq(token, coin) || evm_addr_eq(dollar, coin))
        return;
    twap_add_leg(q, token, coin);
    twap_add_leg(q, coin, dollar);
}

static void ask_pools(struct twap *q, const struct contract *factory, struct multicall *m)
{
    struct buf data = BUF_INIT(CALL_BYTES);

    q->first = m->count;
    for (unsigned l = 0; l < q->count; l++)
        for (unsigned t = 0; t < TIERS; t++)
            ask_observations(m, uniswap_v3_pool(factory, q->legs[l].from, q->legs[l].to, tiers[t]));
    multicall_finish(m, &data);
    q->body = (struct buf)BUF_INIT(MAX_UPSTREAM);
    q->batch = rpc_begin(&q->body);
    rpc_add_call(&q->batch, NULL, multicall_addr(), &data);
    rpc_cannot_fail(&q->batch);
    rpc_end(&q->batch);
    buf_free(&data);
}

/* False where the exchange's contracts turned out to be others. */
static bool ask_used_pools(struct twap *q, const struct chain *c)
{
    struct multicall m = MULTICALL_INIT(CALL_BYTES);
    bool used = uniswap_contracts_ask(&q->at, c, &m) && !evm_addr_is_zero(q->at.v3_quoter);

    if (used)
        ask_pools(q, contract_of(c, &uniswap_v3_factory), &m);
    multicall_free(&m);
    return used;
}

size_t twap_ask(struct twap *q, struct call calls[static NODE_OPINIONS], const struct ctx *ctx,
                const struct chain *c, const struct token *t, struct arena *a)
{
    const struct token *coin = token_wrapped_native(c);
    size_t n = 0;

    *q = (struct twap){ .token = t, .dollar = token_dollar(c, t) };
    if (coin == NULL || q->dollar == NULL || !nodes_known(ctx->nodes, c))
        return 0;
    twap_add_legs(q, token_addr(coin));
    if (!ask_used_pools(q, c))
        return 0;
    node_pair(q->queries, c, &q->batch, EACH_MS);
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        q->asked[i] = node_begin(&calls[n], ctx, &q->queries[i], a);
        n += q->asked[i];
    }
    if (n == 0)
        buf_free(&q->body);
    return n;
}

/* ---- reading ---- */

/* The mean tick over a window, and its weight: liquidity times time. */
struct mean {
    int64_t tick;
    struct u256 weight;
};

/* A word that is a small signed number. */
static bool read_signed(int64_t *out, const uint8_t *data, size_t n, size_t index)
{
    struct u256 word;
    uint64_t sign;

    if (!abi_get_u256(&word, data, n, index))
        return false;
    sign = word.limb[0] >> 63 ? UINT64_MAX : 0;
    *out = (int64_t)word.limb[0];
    return word.limb[1] == sign && word.limb[2] == sign && word.limb[3] == sign;
}

/* observe's arrays: cumulative ticks, and seconds per unit of liquidity with 128 places of a fraction, each
 * then and now. */
static bool read_mean(struct mean *out, const uint8_t *data, size_t n, uint32_t window)
{
    enum { TICKS = 3, SECONDS = 6, WORDS = 8 };
    const struct u256 one = { { 0, 0, 1, 0 } };
    struct u256 since, until, per_unit, seconds = u256_from_u64(window), sum;
    int64_t from, to, moved;

    if (n != (size_t)WORDS * ABI_WORD || !read_signed(&from, data, n, TICKS) ||
        !read_signed(&to, data, n, TICKS + 1) || __builtin_sub_overflow(to, from, &moved) ||
        !abi_get_u256(&since, data, n, SECONDS) || !abi_get_u256(&until, data, n, SECONDS + 1) ||
        !u256_sub(&per_unit, until, since) || u256_is_zero(per_unit) || !u256_mul(&sum, seconds, seconds))
        return false;
    out->tick = moved / window - (moved % window < 0);
    return out->tick >= -TICK_MAX && out->tick <= TICK_MAX && u256_muldiv(&out->weight, sum, one, per_unit);
}

/* The longest window of one pool. */
static bool read_pool(struct mean *out, const struct multicall_results *r, unsigned first)
{
    for (unsigned w = 0; w < WINDOWS; w++) {
        const uint8_t *data;
        size_t n;

        if (multicall_result(r, first + w, &data, &n))
            return read_mean(out, data, n, windows[w]);
    }
    return false;
}

/* The price of the sold token, in ticks of the bought token. */
static bool read_leg(int64_t *ticks, const struct multicall_results *r, const struct twap *q, unsigned l)
{
    bool in_order = memcmp(q->legs[l].from.bytes, q->legs[l].to.bytes, EVM_ADDR_LEN) < 0;
    struct u256 most = U256_ZERO;
    struct mean m;

    for (unsigned t = 0; t < TIERS; t++) {
        if (!read_pool(&m, r, q->first + (l * TIERS + t) * WINDOWS) || u256_cmp(m.weight, most) <= 0)
            continue;
        most = m.weight;
        *ticks = in_order ? m.tick : -m.tick;
    }
    return !u256_is_zero(most);
}

static bool read_ticks(int64_t *ticks, const struct multicall_results *r, const struct twap *q)
{
    int64_t more;

    if (read_leg(ticks, r, q, 0))
        return true;
    if (q->count < TWAP_LEGS || !read_leg(ticks, r, q, 1) || !read_leg(&more, r, q, 2))
        return false;
    *ticks += more;
    return true;
}

/* floor(v * 1.0001^ticks), by squaring the inverse of 1.0001 with 128 places of a binary fraction. */
static bool scale_by_ticks(struct u256 *out, struct u256 v, int64_t ticks)
{
    const struct u256 one = { { 0, 0, 1, 0 } };
    uint64_t left = (uint64_t)(ticks < 0 ? -ticks : ticks);
    struct u256 power = one, square;

    if (!u256_muldiv(&square, one, u256_from_u64(10000), u256_from_u64(10001)))
        return false;
    for (; left > 0; left >>= 1)
        if ((left % 2 == 1 && !u256_muldiv(&power, power, square, one)) ||
            !u256_muldiv(&square, square, square, one))
            return false;
    return ticks < 0 ? u256_muldiv(out, v, power, one) : u256_muldiv(out, v, one, power);
}

/* From a rate of smallest units to one of whole units. */
static bool price_of_ticks(struct amount *usd, const struct twap *q, int64_t ticks)
{
    struct u256 unit = u256_from_u64(1);

    for (int i = q->dollar->decimals; i < q->token->decimals + RATE_PLACES; i++)
        if (!u256_mul(&unit, unit, u256_from_u64(10)))
            return false;
    usd->decimals = RATE_PLACES;
    return scale_by_ticks(&usd->raw, unit, ticks) && !u256_is_zero(usd->raw);
}

static bool read_one(struct amount *usd, const struct twap *q, struct node_query *query, struct arena *a)
{
    struct uniswap_contracts at = q->at;
    struct multicall_results r;
    int64_t ticks;
    bool known;

    if (!node_end(query))
        return false;
    known = rpc_bytes(&r.data, &r.len, a, &query->answers.items[0]);
    if (known)
        uniswap_contracts_read(&at, &r);
    known = known && !evm_addr_is_zero(at.v3_quoter) && read_ticks(&ticks, &r, q) &&
            price_of_ticks(usd, q, ticks);
    rpc_answers_free(&query->answers);
    return known;
}

size_t twap_read(struct twap *q, struct arena *a, struct amount usd[static NODE_OPINIONS])
{
    size_t n = 0;

    buf_free(&q->body);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        n += q->asked[i] && read_one(&usd[n], q, &q->queries[i], a);
    return n;
}
