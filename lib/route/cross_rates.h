/* The rate between the two sides of a bridge: by the prices of both tokens, each on its own chain, since no
 * pool trades them. */
#ifndef ROUTE_CROSS_RATES_H
#define ROUTE_CROSS_RATES_H

#include "route/provider.h"

struct cross_rates {
    struct u256 reference_out; /* what the whole input is worth, in the bought token; 0: not known */
    struct gas_price gas;      /* on the source chain; rates that are not known are zero */
};

/* The worth of the source chain's coin by cached prices, without a request. No price of gas. */
struct gas_price kept_coin_rates(const struct ctx *ctx, const struct route_in *in);

/* One round of prices. */
void cross_rates_ask(struct cross_rates *out, const struct ctx *ctx, struct arena *a,
                     const struct route_in *in);

#endif
