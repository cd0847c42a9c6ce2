#include "route/uniswap.h"

#include "chain/tokens.h"
#include "route/gas_price.h"
#include "route/onchain.h"
#include "route/uniswap_pools.h"
#include "route/wrap.h"
#include "venue/contracts.h"
#include "venue/uniswap_v2.h"
#include "venue/uniswap_v3.h"

enum {
    GAS_UNWRAP = 30000,
    /* A pair's two price sums, which are written when its last trade was in another block; from nothing,
     * where that was its first liquidity. */
    GAS_V2_SUMS = 2 * 22100 + 800,
};

_Static_assert((int)UNISWAP_PATHS_MAX <= (int)OFFERS_READ, "every path may be an offer");

static bool is_native(const struct token_ref *t)
{
    struct evm_addr a;

    return evm_addr_read(&a, t->address) && evm_addr_is_zero(a);
}

static const struct contract *router_of(const struct chain *c, enum uniswap_kind kind)
{
    return contract_of(c, kind == UNISWAP_V2 ? &uniswap_v2_router : &uniswap_v3_router);
}

static bool uniswap_supports(const struct chain *from, const struct chain *to)
{
    return from == to && from->type == CHAIN_EVM && token_wrapped_native(from) != NULL &&
           uniswap_listed(from);
}

/* ---- offers ---- */

struct uniswap_query {
    struct onchain onchain;
    struct uniswap_pools pools;
    struct gas_price_query gas;
    bool native_in, native_out;
    struct evm_addr wrapped;
};

static bool uniswap_ask(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a)
{
    struct uniswap_query *q = ARENA_NEW(a, struct uniswap_query);
    struct multicall m = MULTICALL_INIT(ONCHAIN_BYTES);
    bool asked;

    if (!nodes_known(ctx->nodes, in->from_chain) || !uniswap_pools_begin(&q->pools, in, &m)) {
        multicall_free(&m);
        return false;
    }
    q->native_in = is_native(&in->from);
    q->native_out = is_native(&in->to);
    q->wrapped = token_addr(token_wrapped_native(in->from_chain));
    uniswap_pools_add_paths(&q->pools, in);
    uniswap_pools_add_whole(&q->pools);
    if (in->wants_reference)
        uniswap_pools_add_parts(&q->pools, in->expected);
    gas_price_ask(&q->gas, &m, in);
    uniswap_pools_ask(&q->pools, &m);
    if (!evm_addr_eq(q->pools.from, q->wrapped) && !evm_addr_eq(q->pools.to, q->wrapped))
        gas_price_ask_output(&q->gas, &m, q->pools.to);
    asked = onchain_begin(&q->onchain, q, call, ctx, in, &m, a);
    multicall_free(&m);
    return asked;
}

static struct offer offer_of(struct arena *a, const struct uniswap_query *q, const struct chain *c,
                             const struct uniswap_path *path, struct u256 out, uint64_t gas)
{
    return (struct offer){
        .label = uniswap_path_label(a, path),
        .out = out,
        .gas_units = gas + (q->native_out ? GAS_UNWRAP : 0),
        .spender = q->native_in ? NULL : router_of(c, path->kind)->address,
        .payload = uniswap_path_payload(a, path),
    };
}

/* Reads the offers of all paths that answered; *best is the best one's output. */
static enum ask_end read_offers(struct route_answer *out, struct u256 *best, const struct uniswap_query *q,
                                const struct multicall_results *r, const struct chain *c, struct arena *a)
{
    const struct uniswap_pools *p = &q->pools;
    enum ask_end none = ASK_NO_ROUTE;
    struct u256 fetched;
    uint64_t gas;

    *best = U256_ZERO;
    for (unsigned i = 0; i < p->count; i++) {
        if (!uniswap_price_read(&fetched, &gas, r, p->first + i * p->each, &p->at, &p->paths[i]))
            continue;
        if (u256_is_zero(fetched)) {
            none = ASK_TOO_SMALL;
            continue;
        }
        if (u256_cmp(*best, fetched) < 0)
            *best = fetched;
        out->offers[out->count++] = offer_of(a, q, c, &p->paths[i], fetched, gas);
    }
    return out->count > 0 ? ASK_OFFERED : none;
}

/* If the coin itself is traded, the trade shows its worth. */
static void read_gas(struct gas_price *out, struct uniswap_query *q, const struct multicall_results *r,
                     struct u256 best)
{
    gas_price_read(out, &q->gas, r);
    if (evm_addr_eq(q->pools.to, q->wrapped))
        out->output = (struct rate){ u256_from_u64(1), u256_from_u64(1) };
    else if (evm_addr_eq(q->pools.from, q->wrapped))
        out->output = (struct rate){ q->pools.whole, best };
}

static enum ask_end uniswap_read(const struct call *call, const struct route_in *in, struct arena *a,
                                 struct route_answer *out)
{
    struct uniswap_query *q = onchain_owner(call);
    const struct uniswap_path *small;
    struct multicall_results r;
    struct u256 best;
    enum ask_end end;

    if (!onchain_end(&q->onchain, &r, a))
        return ASK_UNAVAILABLE;
    uniswap_contracts_read(&q->pools.at, &r);
    end = read_offers(out, &best, q, &r, in->from_chain, a);
    read_gas(&out->gas, q, &r, best);
    if (in->wants_reference) {
        out->reference_out = uniswap_pools_reference(&q->pools, &r, &small);
        if (small != NULL)
            out->small = uniswap_path_payload(a, small);
    }
    return end;
}

/* ---- the transaction of an offer ---- */

/* All of it is in the payload, so there is no call. */
static enum tx_end uniswap_read_tx(struct call *call, const struct tx_in *in, struct arena *a,
                                   struct wallet_call *out)
{
    const struct route_in *route = &in->route;
    struct uniswap_path path;
    struct pool_swap swap = { .path = &path.pools,
                              .amount = route->amount_in,
                              .minimum = in->min_out,
                              .coin_in = is_native(&route->from),
                              .coin_out = is_native(&route->to),
                              .deadline = (uint64_t)in->deadline };
    struct buf data = BUF_INIT(8192);

    if (wrap_is_pair(route)) /* quoted before wrapping had a provider of its own */
        return wrap.read_tx(call, in, a, out);
    if (!uniswap_supports(route->from_chain, route->to_chain) || !uniswap_path_read(&path, &in->payload) ||
        router_of(route->from_chain, path.kind) == NULL || uniswap_is_off(route->from_chain, path.kind) ||
        !evm_addr_parse(&swap.recipient, route->wallet))
        return TX_NO_ROUTE;
    if (path.kind == UNISWAP_V2)
        uniswap_v2_swap(&data, &swap);
    else
        uniswap_v3_swap(&data, &swap);
    *out = (struct wallet_call){
        .to = router_of(route->from_chain, path.kind)->address,
        .spender = swap.coin_in ? NULL : router_of(route->from_chain, path.kind)->address,
        .value = swap.coin_in ? route->amount_in : U256_ZERO,
        .data = arena_memdup(a, data.data, data.len),
        .data_len = data.len,
        .min_out = in->min_out,
        .unseen_gas = path.kind == UNISWAP_V2 ? path.pools.hops * (uint64_t)GAS_V2_SUMS : 0,
    };
    buf_free(&data);
    return TX_READY;
}

const struct provider uniswap = {
    .key = "uniswap",
    .name = "uniswap",
    .has_candidates = true,
    .supports = uniswap_supports,
    .ask = uniswap_ask,
    .read = uniswap_read,
    .read_tx = uniswap_read_tx,
};
