/* A quote that a call names, as far as it can still be used. */
#ifndef SWAP_QUOTE_USE_H
#define SWAP_QUOTE_USE_H

#include "base/err.h"
#include "model/quote.h"
#include "service/ctx.h"

/* The agent's quote if it can still be used. Otherwise `gone` when it is unknown, another's or consumed, and
 * `expired`. *swap_id is the swap that consumed it, else 0. */
struct quote_refusals {
    const struct err *gone, *expired;
};
const struct err *quote_usable(const struct ctx *ctx, uint64_t agent_id, const char *quote_id,
                               const struct quote_refusals *refusals, struct quote *out, uint64_t *swap_id);

#endif
