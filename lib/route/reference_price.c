#include "route/reference_price.h"

#include "route/onchain.h"
#include "route/uniswap.h"
#include "route/uniswap_pools.h"
#include "route/wrap.h"

static bool reference_begin(struct uniswap_pools *p, const struct route_in *in, struct u256 expected)
{
    if (!uniswap_pools_begin(p, in, NULL))
        return false;
    uniswap_pools_add_paths(p, in);
    uniswap_pools_add_parts(p, expected);
    return true;
}

bool reference_ask(struct buf *data, const struct route_in *in, struct u256 expected)
{
    struct multicall m = MULTICALL_INIT(ONCHAIN_BYTES);
    struct uniswap_pools p;
    struct uniswap_contracts at;
    bool asks = uniswap.supports(in->from_chain, in->to_chain) && uniswap_contracts(&at, in->from_chain);

    if (asks) {
        if (reference_begin(&p, in, expected))
            uniswap_pools_ask(&p, &m);
        multicall_finish(&m, data);
    }
    multicall_free(&m);
    return asks;
}

struct u256 reference_read(const struct route_in *in, struct u256 expected, const uint8_t *data, size_t n)
{
    const struct multicall_results r = { data, n };
    const struct uniswap_path *of;
    struct uniswap_pools p;

    if (wrap_is_pair(in))
        return in->amount_in;
    return reference_begin(&p, in, expected) ? uniswap_pools_reference(&p, &r, &of) : U256_ZERO;
}
