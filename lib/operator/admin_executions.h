/* Executions as operators see them. */
#ifndef OPERATOR_ADMIN_EXECUTIONS_H
#define OPERATOR_ADMIN_EXECUTIONS_H

#include "model/execution.h"
#include "operator/operator.h"
#include "store/lookups.h"

struct execution_report {
    struct execution execution;
    struct uuid agent;    /* the id that it sees */
    const char *name;     /* of its kind: "swap" */
    const char *in, *out; /* "1.5 ETH on base"; `out` is what arrived or is expected, NULL: nothing is */
    const char *status;
};
/* LOOKUP_NONE: there is no such execution. */
enum lookup operator_report_execution(const struct ctx *ctx, struct arena *a, uint64_t id,
                                      struct execution_report *out);

/* Executions of one agent (NULL: all), newest first, at most `max`; those that go meanwhile are left out. */
const char *operator_list_executions(const struct ctx *ctx, struct arena *a, const char *agent,
                                     enum execution_pick pick, unsigned max, struct execution_report **out,
                                     size_t *count);

/* Everything about one: what it was asked by (NULL: an older program accepted it), what happened, and what
 * happens next and when (0: now, or nothing at all). */
struct execution_details {
    struct execution_report report;
    const char *request_id;
    const char *next;
    int64_t next_ms;
    struct execution_step *steps;
    size_t step_count;
    struct transaction *transactions;
    size_t transaction_count;
};
const char *operator_execution_details(const struct ctx *ctx, struct arena *a, const char *id,
                                       struct execution_details *out);
/* Has it followed on its chain again, after each conclusion. */
const char *operator_reopen(const struct ctx *ctx, struct arena *a, const char *id);
const char *broadcast_said_text(enum broadcast_result said); /* "taken", "refused" */
const char *effect_state_text(enum effect_state state);      /* "open", "settled" */

/* The next action on the execution, in words, and its time (0: now, or nothing at all). Pure. */
const char *execution_next(const struct execution *x, const struct transaction *txs, unsigned n,
                           const struct execution_due *due, int64_t *at_ms);

#endif
