/* Asking all providers that support a pair at once, under one deadline, and choosing the best offer. */
#ifndef ROUTE_BEST_H
#define ROUTE_BEST_H

#include "core/err.h"
#include "route/provider.h"

/* The offers, best net output first, in the arena. NULL on success with at least one offer; E_NO_LIQUIDITY or
 * E_NO_BRIDGE when there is no route, E_UPSTREAM when nobody answered. */
const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offer **out, size_t *count);

#endif
