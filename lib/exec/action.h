/* An action: how an agent starts an execution of a kind (exec/kind.h), and how its market shows it. The
 * market declares it as one row of data and functions; the order of work is here, the answers are in
 * api/actions.c.
 *
 * The functions of a row get the market's own structs: `asked`, whose first member is a struct action_asked,
 * and `op`, whose first member is a struct action_op. */
#ifndef EXEC_ACTION_H
#define EXEC_ACTION_H

#include "exec/commit.h"
#include "exec/kind.h"
#include "model/agent.h"
#include "store/execution_own.h"

/* What is asked for; the market's members follow. */
struct action_asked {
    const char *approval_id; /* an execution that waited for the operator goes on; NULL: a new one */
};

/* An execution that is being started; the market's members follow. */
struct action_op {
    const struct ctx *ctx;
    struct arena *arena;
    const struct agent *agent;
    enum exec_kind_id kind;
    struct uuid once;
    struct wallet wallet;
    struct plan plan;
};

struct action {
    size_t op_size;            /* of the market's struct */
    const struct err *failure; /* the answer when the database or the signer fails */
    const struct commit_hooks *hooks;
    /* Reads what is asked for, down to the wallet. */
    const struct err *(*begin)(void *op, const void *asked);
    /* Sets the terms as they were stored and approved; the wallet is set afterwards. NULL: it never waits for
     * an approval. */
    const struct err *(*resume)(void *op, const struct execution *x);
    /* Makes the plan, for which chains and venues may be asked, and c->terms but for kind and `once`. */
    const struct err *(*plan)(void *op, struct commit *c);
    /* The refusal that the agent gets for `e`, but for one of its approval. NULL: `e` itself. */
    const struct err *(*explain)(void *op, const struct commit *c, const struct err *e);

    /* ---- as GET shows it: all kinds of one action are one resource ---- */
    const char *member, *members; /* "withdrawal", "withdrawals": of answers */
    const struct err *not_found;  /* no execution of the agent with this id is of this action */
    const char *not_found_hint;   /* NULL: the error's own */
    own_page_fn *page;            /* its list */
    bool lists_fewer_statuses;    /* in the list, as exec_listed has them */
    enum exec_kind_id (*kind_of)(const char *type); /* of the list's filter; NULL: it has none */
    /* Further members of its own GET, for which x->txs are read. NULL: it has none. */
    void (*detail)(struct json_writer *w, const struct execution_shown *x);
};

/* Starts an execution of the kind, or goes on with one that the operator has approved. `note` NULL: none. */
const struct err *action_start(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                               enum exec_kind_id kind, const void *asked, const struct commit_note *note,
                               struct commit_result *out);

/* The agent's, by its number. LOOKUP_NONE for an execution of another action, too. */
enum lookup action_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const struct action *action,
                       uint64_t id, struct execution *out);

#endif
