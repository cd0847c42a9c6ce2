/* Revokes the allowance that a failed execution has set. The cancel that fills the place of its spending step
 * revokes it (exec/evm/repair.h); if that place is used up otherwise, a transaction of its own does, at the
 * wallet's next nonce. */
#ifndef EXEC_EVM_REVOKE_H
#define EXEC_EVM_REVOKE_H

#include "base/arena.h"
#include "exec/plan.h"
#include "exec/tracked.h"
#include "service/ctx.h"

/* Whether txs[i] takes an allowance back. */
bool is_revocation(const struct tracked *w, unsigned i);
/* The step that takes back what the execution's spending step was allowed to take. False: nothing was. */
bool step_revoke(struct arena *a, const struct tracked *w, struct step *out);

/* For an execution that has failed for good: stores a revocation, once, if an allowance remains and no other
 * execution relies on it; the next poll sends it. w->unfinished until nothing remains to be done. */
void evm_revoke(const struct ctx *ctx, struct arena *a, struct tracked *w);

#endif
