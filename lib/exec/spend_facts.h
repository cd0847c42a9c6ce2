/* The spend facts of a plan from its wallet, as plain facts for the wallet's policies. */
#ifndef EXEC_SPEND_FACTS_H
#define EXEC_SPEND_FACTS_H

#include "base/arena.h"
#include "exec/plan.h"
#include "policy/decide.h"
#include "service/ctx.h"

/* Fills in what leaves, what comes back, who receives and the fees of a plan that was tried, and what its
 * kind says; what neither says is the caller's. Texts are in the arena. False when the fees fit into no
 * amount. */
MUST_CHECK bool spend_facts_of_plan(struct spend_facts *o, struct arena *a, const struct plan *p,
                                    const struct chain_state *st);

/* The same, and what the wallet's policies would decide now: an estimate, since they decide within a commit.
 */
enum policy_verdict spend_facts_estimate(const struct ctx *ctx, struct arena *a, struct spend_facts *o,
                                         const struct plan *p, const struct chain_state *st,
                                         const struct err **why);

#endif
