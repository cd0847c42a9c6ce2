/* The outcome of a poll of an execution: the move that its kind's verdict asks for, news of its effects, and
 * whether it has settled. */
#ifndef EXEC_OUTCOME_H
#define EXEC_OUTCOME_H

#include "base/arena.h"
#include "base/metrics.h"
#include "exec/tracked.h"
#include "service/ctx.h"

/* Records the known outcomes of the list, with their history and notifications; nothing where nothing is new.
 * Some are recorded in one transaction, and each in its own where that fails. The list is sorted by agent, as
 * all programs lock agents in that order. The statuses in memory follow what was recorded. */
void outcomes_record(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n);

/* Counters of swaps: "swaps_completed_total" and "swaps_failed_total" by chain, "swap_failures_total" by one
 * of these codes, of which the last one ends the list and stands for all others; and in "swap_seconds" how
 * long those took that completed. */
extern const char *const swap_failure_codes[];
extern metric_scale swap_scale;

#endif
