/* The most that a swap between two chains may be worth: a deposit is only a bridge provider's promise until
 * the payment has arrived, and the operator limits the worth of one promise. */
#ifndef SWAP_BRIDGE_LIMIT_H
#define SWAP_BRIDGE_LIMIT_H

#include "base/arena.h"
#include "base/err.h"
#include "model/quote.h"
#include "service/ctx.h"

/* NULL for a swap on one chain, and where there is no limit (bridge_max_usd). Otherwise prices are asked, and
 * E_OPERATOR_LIMIT says that it is worth more, or that its worth is unknown. */
const struct err *bridge_limit_check(const struct ctx *ctx, struct arena *a, const struct quote *q);

#endif
