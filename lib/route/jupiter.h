/* Jupiter, an aggregator on Solana. Of the routers behind it only its own is asked: what the others build
 * names no minimum that can be read. */
#ifndef ROUTE_JUPITER_H
#define ROUTE_JUPITER_H

#include "route/provider.h"

extern const struct provider jupiter;

/* A call to its service, with its key: `path` follows the base URL. False when it is off. */
bool jupiter_get(struct call *call, const struct ctx *ctx, struct arena *a, const char *path);

/* Before processes are forked: they share the prices that any of them asked for (jupiter_prices.c). */
void jupiter_prices_share(void);

#endif
