#include "route/gas_price.h"

#include "chain/evm/abi.h"
#include "model/amount.h"

enum { SEL_GET_BASEFEE = 0x3e64a696 }; /* Multicall3's own */

/* A small amount whose price is the price of gas: 0.001 of the native coin. */
static const uint64_t SAMPLE = 1000000000000000;

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

void gas_price_ask(struct gas_price_query *q, struct multicall *m, const struct chain *c, bool wants_usd)
{
    static const uint32_t tiers[] = { 500, 3000 };
    const struct token *wrapped = token_wrapped_native(c);
    struct buf data = BUF_INIT(64);

    *q = (struct gas_price_query){ .chain = c, .base_fee_at = m->count };
    abi_selector(&data, SEL_GET_BASEFEE);
    multicall_add(m, multicall_addr(), &data);
    buf_free(&data);
    q->dollar = wants_usd && uniswap_contracts(&q->at, c) ? token_dollar(c, wrapped) : NULL;
    if (q->dollar != NULL)
        q->usd_count = paths_of_tiers(q->usd, token_addr(wrapped), token_addr(q->dollar), tiers, 2);
    sample_ask(q, m, q->usd, q->usd_count);
}

void gas_price_ask_output(struct gas_price_query *q, struct multicall *m, struct evm_addr to)
{
    static const uint32_t tiers[] = { 3000 };

    if (!uniswap_contracts(&q->at, q->chain))
        return;
    q->output_at = m->count;
    q->output_count = paths_of_tiers(q->output, token_addr(token_wrapped_native(q->chain)), to, tiers, 1);
    sample_ask(q, m, q->output, q->output_count);
}

static struct rate sample_read(const struct multicall_results *r, const struct uniswap_path *paths,
                               unsigned n, unsigned at)
{
    struct rate out = { .give = u256_from_u64(SAMPLE) };

    (void)uniswap_price_best(&out.get, r, paths, n, at, 1);
    return out;
}

static void add_places(struct u256 *v, unsigned decimals)
{
    for (unsigned d = decimals; d < RATE_PLACES; d++)
        if (!u256_mul(v, *v, u256_from_u64(10)))
            *v = U256_ZERO;
}

void gas_price_read(struct gas_price *out, const struct gas_price_query *q, const struct multicall_results *r)
{
    const uint8_t *bytes;
    size_t n;

    *out = (struct gas_price){ .per_unit = U256_ZERO };
    if (multicall_result(r, q->base_fee_at, &bytes, &n) && !abi_get_u256(&out->per_unit, bytes, n, 0))
        out->per_unit = U256_ZERO;
    if (!u256_add(&out->per_unit, out->per_unit, u256_from_u64(q->chain->tip_min)))
        out->per_unit = U256_ZERO;
    out->usd = sample_read(r, q->usd, q->usd_count, q->base_fee_at + 1);
    if (q->dollar != NULL)
        add_places(&out->usd.get, q->dollar->decimals);
    out->output = sample_read(r, q->output, q->output_count, q->output_at);
}
