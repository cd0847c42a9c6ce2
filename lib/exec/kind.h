/* A kind of execution, as the engine and the protocols see it: one row of data and pure functions. Markets
 * stand above the engine, so the rows are only declared here; registry/kinds.c defines them. */
#ifndef EXEC_KIND_H
#define EXEC_KIND_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "model/execution.h"

struct verdict;
struct watch;

struct exec_kind {
    const char *name; /* "swap": of approvals, artifacts and actions */
    bool listed;      /* by GET /swaps, and counted in GET /me; so says executions.in_swaps */
    const char *event_completed, *event_failed; /* the types of the agent's webhook events */
    bool replaceable; /* the worker may sign its steps again for another fee, without anybody's order */
    /* Where it belongs by what was seen of its effects (exec/verdict.h). Pure. */
    struct verdict (*verdict)(const struct watch *w);
    /* Writes its members as GET /swap/status and events show it: the status that `x` has, and all of its
     * transactions. */
    void (*view)(struct json_writer *w, const struct execution *x, const struct transaction *txs, unsigned n);
    /* What it is, how it stands and why, as one sentence without a full stop. */
    const char *(*sentence)(struct arena *a, const struct execution *x);
    unsigned done; /* statuses, as bits, in which the agent has what it asked for: an A2A task is complete */
};

/* NULL for one that this program does not know: a newer one may have stored it. */
const struct exec_kind *exec_kind_of(enum exec_kind_id id);

#endif
