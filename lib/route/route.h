/* Asking all providers that support a pair at once, under one deadline, and choosing the best offer. */
#ifndef ROUTE_ROUTE_H
#define ROUTE_ROUTE_H

#include "base/err.h"
#include "route/provider.h"

/* The offers, best net output first, in the arena. NULL on success with at least one offer; E_NO_LIQUIDITY,
 * E_TOO_LITTLE or E_NO_BRIDGE when there is no route, E_UPSTREAM when nobody answered. */
const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offer **out, size_t *count);

/* Whether swaps on the chain are priced here: its exchanges are known, and it has a node. */
bool route_serves(const struct nodes *nodes, const struct chain *c);
/* The keys of all such chains, separated by commas. In the arena. */
const char *route_served(const struct nodes *nodes, struct arena *a);

#endif
