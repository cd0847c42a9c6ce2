/* Executions as operators see them. */
#ifndef OPERATOR_EXECUTIONS_H
#define OPERATOR_EXECUTIONS_H

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
/* FOUND_NONE: there is no such execution. */
enum found operator_report_execution(const struct ctx *ctx, struct arena *a, uint64_t id,
                                     struct execution_report *out);

/* What somebody will do about it next, in words, and when (0: now, or nothing at all). Pure. */
const char *execution_next(const struct execution *x, const struct transaction *txs, unsigned n,
                           const struct execution_due *due, int64_t *at_ms);

#endif
