/* An unsigned transaction for a caller who signs with a key of their own. */
#ifndef SWAP_SWAP_BUILD_H
#define SWAP_SWAP_BUILD_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/plan.h"
#include "model/quote.h"
#include "service/ctx.h"

struct unsigned_swap {
    struct quote quote; /* what it carries out */
    struct plan plan;
    struct u256 gas_price; /* wei, the highest that is worth offering now */
    bool needs_approval;   /* the chain does not allow the amount yet: the plan's approvals come first */
};

/* Builds from a quote of the agent's, which stays usable; `allow_contract`: keys of chains on which the
 * recipient may be a contract elsewhere alone, NULL: none; `max_impact` overrides the quote's own, unless
 * PPM_NONE. E_QUOTE_INVALID when it is unknown, another's or consumed, by *swap_id then;
 * E_QUOTE_EXPIRED_BUILD. */
const struct err *build_from_quote(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                   const char *quote_id, const char *wallet, struct ppm max_impact,
                                   const char *const *allow_contract, struct unsigned_swap *out,
                                   uint64_t *swap_id);
/* Builds from a quote that was made just now and is not stored; its recipient is set where it has none. */
const struct err *build_direct(const struct ctx *ctx, struct arena *a, struct quote *q, const char *wallet,
                               const char *const *allow_contract, struct unsigned_swap *out);

#endif
