/* Asks the providers; the I/O for all of them is here. For offers, all that serve a pair are asked at once,
 * under one deadline; for the transaction, the one whose offer was chosen. */
#ifndef ROUTE_ROUTE_H
#define ROUTE_ROUTE_H

#include "base/err.h"
#include "route/offers.h"

/* Before processes are forked: what one learns of routes and of the price of gas, all know. */
void route_share(const struct conf *conf);

/* NULL on success with at least one offer; E_NO_LIQUIDITY, E_TOO_LITTLE or E_NO_BRIDGE when there is no
 * route, E_NO_PROVIDER when all that serve the pair are unwanted, E_UPSTREAM when none answered. */
const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offers *out);

/* The call that a wallet has to sign for a quote of the provider with that key. E_NO_LIQUIDITY when there is
 * no longer a route, E_PRICE_MOVED when the call guarantees less than in->min_out, E_BALANCE and E_GAS when
 * the wallet lacks what the provider wants to see before it builds, E_UPSTREAM without an answer. */
const struct err *route_tx(const struct ctx *ctx, struct arena *a, const char *provider,
                           const struct tx_in *in, struct wallet_call *out);

/* Whether a provider that is on trades from one chain, which may be the other, to the other, and both have a
 * node. */
bool route_trades(const struct ctx *ctx, const struct chain *from, const struct chain *to);
/* Whether anything can be swapped from or to another chain. */
bool route_bridges(const struct ctx *ctx, const struct chain *c);
/* Whether one of both. */
bool route_serves(const struct ctx *ctx, const struct chain *c);
/* The keys of all chains on which anything can be swapped, separated by commas; in the arena. */
const char *route_served(const struct ctx *ctx, struct arena *a);

#endif
