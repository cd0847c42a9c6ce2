/* The most that a swap between two chains may be worth: what is deposited is somebody's promise until it has
 * arrived, and the operator says how much one promise may be. */
#ifndef SWAP_BRIDGE_LIMIT_H
#define SWAP_BRIDGE_LIMIT_H

#include "base/arena.h"
#include "base/err.h"
#include "model/quote.h"
#include "service/ctx.h"

/* NULL for a swap on one chain, and where there is no limit (bridge_max_usd). Otherwise prices are asked, and
 * E_OPERATOR_LIMIT says that it is worth more, or that nobody can tell. */
const struct err *bridge_limit_check(const struct ctx *ctx, struct arena *a, const struct quote *q);

#endif
