/* A kind of execution, as the engine and the protocols see it: one row of data and pure functions. Markets
 * stand above the engine, so the rows are only declared here; registry/kinds.c defines them. */
#ifndef EXEC_KIND_H
#define EXEC_KIND_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "model/execution.h"

/* Which of the operator's stops hold it back before it is signed. */
enum kind_halts {
    HALTED_BY_ANY, /* that of its agent, and that of all */
    HALTED_BY_ALL, /* that of all alone: money comes home */
    HALTED_NEVER,  /* it is the operator's own */
};

/* What the wallet's policies have to do with it. */
enum kind_policies {
    POLICIES_COUNT, /* they decide, and what leaves counts in their limits */
    POLICIES_WATCH, /* they decide; nothing counts, for what leaves is still the wallet's */
    POLICIES_NONE,  /* it goes home, or is the operator's own */
};

struct verdict;
struct watch;

struct exec_kind {
    const char *name;        /* "swap": of approvals, artifacts and actions */
    const char *venue_class; /* as allowedVenues of whitelists has it; NULL where no policy decides */
    enum kind_halts halts;
    enum kind_policies policies;
    bool listed; /* by GET /swaps, and counted in GET /me; so says executions.in_swaps */
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
