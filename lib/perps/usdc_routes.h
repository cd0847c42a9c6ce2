/* The ways of dollars between chains and the venue of perpetuals, and what they cost. */
#ifndef PERPS_USDC_ROUTES_H
#define PERPS_USDC_ROUTES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "model/perps_transfer.h"
#include "service/ctx.h"

/* The way to or from the chain that the operator has set or, if that is left to the venue, that the venue
 * recommends. NULL, or E_PERPS_CHAIN, E_UPSTREAM, E_BUSY. */
const struct err *usdc_route(const struct ctx *ctx, struct arena *a, const struct chain *c, bool to_venue,
                             enum perps_route *out);

/* Millionths of a dollar. */
struct usdc_cost {
    struct u256 expected, most;
};

/* Circle's cost for an amount from the chain to the venue. NULL, or E_UPSTREAM. */
const struct err *usdc_circle_cost(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                   struct u256 amount, struct usdc_cost *out);
/* The venue's fee for the next credit of an account: for its first one only. NULL, or E_UPSTREAM, E_BUSY. */
const struct err *usdc_activation_cost(const struct ctx *ctx, struct arena *a, const struct evm_addr *user,
                                       struct u256 *out);

/* The venue's fee for a withdrawal by that route. */
struct u256 usdc_withdrawal_cost(enum perps_route route);
/* The amount that has to stay at the venue in addition to a withdrawal by that route, for the gas of Circle's
 * route. NULL, or E_UPSTREAM, E_BUSY. */
const struct err *usdc_withdrawal_gas(const struct ctx *ctx, struct arena *a, const struct evm_addr *user,
                                      enum perps_route route, struct u256 *out);

/* ---- reading. Pure ---- */

/* Reads an answer to `usdcRouting`. */
bool usdc_read_routing(const struct buf *answer, enum perps_route *to_venue, enum perps_route *from_venue);
/* The URL of Circle's fees from the chain to the venue; NULL: it has no route from there. */
char *usdc_fees_url(struct arena *a, const char *base, const struct chain *c);
/* Reads Circle's fees for the amount. */
bool usdc_read_fees(const struct buf *answer, struct u256 amount, struct usdc_cost *out);
/* Reads from an answer to `preTransferCheck` the amount to keep back: the fee, and a cent at least. */
bool usdc_read_gas(struct arena *a, const struct buf *answer, struct u256 *out);
/* Reads from an answer to `userRole` whether there is an account. */
bool usdc_read_role(const struct buf *answer, bool *there);

#endif
