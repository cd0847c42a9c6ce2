/* What follows from a look at an execution: the move that its kind's verdict asks for, what is news of its
 * effects, and whether it has settled. */
#ifndef EXEC_OUTCOME_H
#define EXEC_OUTCOME_H

#include "base/arena.h"
#include "exec/watch.h"
#include "service/ctx.h"

/* Records it for all of the list that are known, with the history and whoever has to be told; nothing where
 * nothing is new. Some are recorded in one transaction, and each in its own where that fails. The list is
 * sorted by agent, as everybody locks agents in that order. The statuses in hand follow what was recorded. */
void outcomes_record(const struct ctx *ctx, struct arena *a, struct watch *w, unsigned n);

#endif
