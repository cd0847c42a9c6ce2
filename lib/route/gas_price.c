#include "route/gas_price.h"

#include "base/clock.h"
#include "base/shm_cache.h"
#include "chain/evm/abi.h"
#include "chain/rpc/block_time.h"
#include "model/amount.h"

enum { SEL_GET_BASEFEE = 0x3e64a696 }; /* Multicall3's own */

/* A small amount whose price is the price of gas: 0.001 of the native coin. */
static const uint64_t SAMPLE = 1000000000000000;

/* ---- cached data ---- */

enum { GAS_PLACES = 16 };

struct cached_gas {
    const struct chain *chain; /* a place may be another one's */
    struct gas_price price;    /* without the output */
    bool dollars;              /* were asked for */
    int64_t until_ms;          /* on the monotonic clock */
};

static struct shm_cache cached_gas = SHM_CACHE_INIT(GAS_PLACES, struct cached_gas);

void gas_prices_share(void)
{
    shm_cache_share(&cached_gas);
}

static size_t gas_place(const struct chain *c)
{
    return (size_t)(c - chains) % GAS_PLACES;
}

static bool gas_find(struct gas_price *out, const struct chain *c, bool dollars)
{
    struct cached_gas k;

    if (!shm_cache_read(&cached_gas, gas_place(c), &k) || k.chain != c || clock_mono_ms() >= k.until_ms ||
        (dollars && !k.dollars))
        return false;
    *out = k.price;
    return true;
}

static void gas_keep(const struct gas_price *price, const struct chain *c, bool dollars)
{
    const struct cached_gas k = { c, *price, dollars, clock_mono_ms() + block_time_ms(c) };

    shm_cache_write(&cached_gas, gas_place(c), &k);
}

struct u256 gas_price_last(const struct chain *c)
{
    struct cached_gas k;

    if (shm_cache_read(&cached_gas, gas_place(c), &k) && k.chain == c)
        return k.price.per_unit;
    return u256_from_u64(c->tip_min > 0 ? c->tip_min : 1);
}

/* ---- requests ---- */

static unsigned paths_of_tiers(struct uniswap_path out[static GAS_PRICE_PATHS], struct evm_addr from,
                               struct evm_addr to, const uint32_t *tiers, unsigned n)
{
    struct uniswap_path path = { UNISWAP_V2, { .hops = 1, .token = { from, to } } };

    out[0] = path;
    path.kind = UNISWAP_V3;
    for (unsigned i = 0; i < n; i++) {
        path.pools.fee[0] = tiers[i];
        out[1 + i] = path;
    }
    return 1 + n;
}

static void sample_ask(const struct gas_price_query *q, struct multicall *m, const struct uniswap_path *paths,
                       unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        uniswap_price_ask(m, &q->at, &paths[i], u256_from_u64(SAMPLE));
}

static void base_fee_ask(struct multicall *m)
{
    struct buf data = BUF_INIT(64);

    abi_selector(&data, SEL_GET_BASEFEE);
    multicall_add(m, multicall_addr(), &data);
    buf_free(&data);
}

static void dollars_ask(struct gas_price_query *q, struct multicall *m)
{
    static const uint32_t tiers[] = { 500, 3000 };
    const struct token *wrapped = token_wrapped_native(q->chain);

    q->dollar = q->wants_dollars && q->pools ? token_dollar(q->chain, wrapped) : NULL;
    if (q->dollar != NULL)
        q->usd_count = paths_of_tiers(q->usd, token_addr(wrapped), token_addr(q->dollar), tiers, 2);
    sample_ask(q, m, q->usd, q->usd_count);
}

void gas_price_ask(struct gas_price_query *q, struct multicall *m, const struct route_in *in)
{
    *q = (struct gas_price_query){ .chain = in->from_chain,
                                   .keeps = !in->verifies,
                                   .wants_dollars = in->wants_reference };
    q->known = q->keeps && gas_find(&q->kept, q->chain, q->wants_dollars);
    if (q->known)
        return;
    if (q->wants_dollars)
        q->pools = uniswap_contracts_ask(&q->at, q->chain, m);
    q->base_fee_at = m->count;
    base_fee_ask(m);
    dollars_ask(q, m);
}

void gas_price_ask_output(struct gas_price_query *q, struct multicall *m, struct evm_addr to)
{
    static const uint32_t tiers[] = { 3000 };

    if (q->at.chain == NULL)
        q->pools = uniswap_contracts_ask(&q->at, q->chain, m);
    if (!q->pools)
        return;
    q->output_at = m->count;
    q->output_count = paths_of_tiers(q->output, token_addr(token_wrapped_native(q->chain)), to, tiers, 1);
    sample_ask(q, m, q->output, q->output_count);
}

/* ---- the answer ---- */

static struct rate sample_read(const struct gas_price_query *q, const struct multicall_results *r,
                               const struct uniswap_path *paths, unsigned n, unsigned first)
{
    struct rate out = { .give = u256_from_u64(SAMPLE) };

    (void)uniswap_price_best(&out.get, r, &q->at, paths, n, first, 1);
    return out;
}

static void add_places(struct u256 *v, unsigned decimals)
{
    for (unsigned d = decimals; d < RATE_PLACES; d++)
        if (!u256_mul(v, *v, u256_from_u64(10)))
            *v = U256_ZERO;
}

/* False without a base fee: gas still costs the tip. */
static bool unit_read(struct u256 *out, const struct gas_price_query *q, const struct multicall_results *r)
{
    const uint8_t *bytes;
    size_t n;
    bool read = multicall_result(r, q->base_fee_at, &bytes, &n) && abi_get_u256(out, bytes, n, 0);

    if (!read)
        *out = U256_ZERO;
    if (!u256_add(out, *out, u256_from_u64(q->chain->tip_min)))
        *out = U256_ZERO;
    return read;
}

/* False where the chain has a dollar and no pool told its price. */
static bool dollars_read(struct rate *out, const struct gas_price_query *q, const struct multicall_results *r)
{
    *out = sample_read(q, r, q->usd, q->usd_count, q->base_fee_at + 1);
    if (q->dollar == NULL)
        return true;
    add_places(&out->get, q->dollar->decimals);
    return !u256_is_zero(out->get);
}

void gas_price_read(struct gas_price *out, struct gas_price_query *q, const struct multicall_results *r)
{
    *out = q->kept;
    uniswap_contracts_read(&q->at, r);
    if (!q->known) {
        bool unit = unit_read(&out->per_unit, q, r), dollars = dollars_read(&out->usd, q, r);

        if (q->keeps && unit && dollars)
            gas_keep(out, q->chain, q->wants_dollars);
    }
    out->output = sample_read(q, r, q->output, q->output_count, q->output_at);
}
