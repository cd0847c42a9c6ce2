/* A kind of execution, as the engine and the protocols see it: one row of data and pure functions. Markets
 * stand above the engine: each row is in its market's folder, and registry/kinds.c lists them. */
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

/* The part of the wallet's policies in it. */
enum kind_policies {
    POLICIES_COUNT, /* they decide, and what leaves counts in their limits */
    POLICIES_WATCH, /* they decide; nothing counts, for what leaves is still the wallet's */
    POLICIES_DEBT,  /* they decide, and approval limits count what arrives: it is borrowed */
    POLICIES_NONE,  /* it goes home, or is the operator's own */
};

/* An execution with what it is shown with. */
struct execution_shown {
    const struct execution *execution;
    const struct transaction *txs; /* all of them */
    unsigned tx_count;
    const void *own; /* what the kind's `read` has read; NULL where it has none */
};

struct action;
struct address_record;
struct db;
struct execution_move;
struct verdict;
struct tracked;

struct exec_kind {
    const char *name;            /* "swap": of approvals, artifacts and actions */
    const char *venue_class;     /* as allowedVenues of whitelists has it; NULL where no policy decides */
    const struct action *action; /* how an agent starts it; NULL: it has another way, or none */
    enum kind_halts halts;
    enum kind_policies policies;
    bool listed; /* by GET /swaps, and counted in GET /me; so says executions.in_swaps */
    const char *event_completed, *event_failed; /* the types of the agent's webhook events; NULL: none */
    bool gives;       /* nothing arrives by it: what is read of it in the end is how much was taken */
    bool replaceable; /* the worker may sign its steps again for another fee, without an order of the agent */
    bool waits;       /* for a venue that takes nothing for a while: its requests live longer by that */
    /* Its verdict by the observations of its effects (exec/verdict.h). Pure. */
    struct verdict (*verdict)(const struct tracked *w);
    /* Reads what its market keeps of it into *own, in the arena. False when the database failed. NULL: it
     * keeps nothing. */
    bool (*read)(struct db *db, struct arena *a, const struct execution *x, const void **own);
    /* Records what its moves (up to EXECUTIONS_AT_ONCE, by agent) mean for that, in their transaction: all
     * rows first, then agents' totals, since the holder of an agent's lock must wait for none of its rows.
     * False when the database failed. NULL: nothing follows. */
    bool (*moved)(struct db *db, const struct execution_move *moves, size_t n);
    /* By which the signer knows whom its spending step pays, in the arena; NULL: it needs no such record. */
    const struct address_record *(*record)(struct db *db, struct arena *a, const struct execution *x);
    /* Writes its members as its GET and events show it, with the status that it has. */
    void (*view)(struct json_writer *w, const struct execution_shown *x);
    /* Its kind, state and reason, as one sentence without a full stop. */
    const char *(*sentence)(struct arena *a, const struct execution_shown *x);
    /* The terms that the operator is asked to approve. NULL: it never waits for that. */
    const char *(*terms)(struct arena *a, const struct execution_shown *x);
};

/* Reads what its kind's market keeps of it into x->own. False when the database failed. */
bool execution_own_read(struct db *db, struct arena *a, struct execution_shown *x);

/* NULL for one that this program does not know: a newer one may have stored it. */
const struct exec_kind *exec_kind_of(enum exec_kind_id id);

#endif
