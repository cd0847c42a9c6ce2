/* Committing an execution: exactly once, whatever its kind. From a plan the order of work is
 *   ask the chain, try the plan → one transaction: trading halt, take, wallet's lock, nonces, funds,
 * policies, sign, store → COMMIT → send. Nothing is sent that is not stored; what is stored is sent again
 * until it is settled. No network call but the signer's happens inside the transaction. */
#ifndef EXEC_COMMIT_H
#define EXEC_COMMIT_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/family.h"
#include "exec/plan.h"
#include "model/approval.h"
#include "model/wallet.h"
#include "policy/outlay.h"
#include "service/ctx.h"
#include "store/db.h"
#include "store/transactions.h"

struct commit;

struct commit_result {
    struct execution execution; /* on success, as it is stored */
    uint64_t lost_to; /* with a refusal: the agent's own execution that used up what this one wanted to take;
                         0: none, or nobody's business */
    /* On success: nothing is signed yet, the operator has to approve it first. The execution is there and
     * pending; its terms are what is approved. */
    bool awaits;
    struct uuid approval;
    int64_t approval_expires_ms;
};

/* Written into the committing transaction, beside the new (pending) execution. 1, 0 the request is answered
 * elsewhere, so that nothing may be committed here, -1 the database failed. */
struct commit_note {
    int (*fn)(void *arg, const struct commit_result *r);
    void *arg;
};

/* What a market does in a commit of its kind; each may be NULL. */
struct commit_steps {
    /* Before the transaction: the refusal that follows from c->state, such as a price that is too bad. */
    const struct err *(*check)(const struct commit *c);
    /* Inside the transaction, before the wallet's lock: takes what can be used only once. 1, 0 it cannot be
     * taken any more, -1 the database failed. */
    int (*take)(const struct commit *c, struct db *db);
    /* Under the wallet's lock: sets how much leaves, in the plan and in the terms, to what is at hand. */
    const struct err *(*fit)(struct commit *c, const struct reservation *reserved);
    /* Once it was refused and the transaction is over: why really. `e` is NULL where it could not be taken.
     * Whoever took it instead wins over everything else. */
    const struct err *(*explain)(struct commit *c, const struct err *e);
};

struct commit {
    const struct ctx *ctx;
    struct arena *arena;
    const struct wallet *wallet;
    struct plan *plan;
    struct execution terms; /* what is recorded: kind, venue, once, tokens and amounts */
    struct ppm slippage;    /* that they allow */
    const struct commit_steps *steps;
    const void *market;       /* for the steps alone */
    const struct err *broken; /* the answer where something of ours has failed */
    /* The operator's approval, which is used up instead of taking anything: an execution that waits goes on.
     * NULL: a new one. */
    const struct approval *approved;
    /* The operator orders it himself: no halt and no policy holds it. NULL: its agent does. */
    const struct operator_mac *operator_mac;
    const struct commit_note *note; /* NULL: none */
    struct commit_result *out;
    /* ---- the engine's ---- */
    const struct family *family; /* of the plan's chain */
    struct chain_state state;
    struct outlay outlay;
    struct transaction txs[PLAN_MAX_STEPS];
    const struct err *refusal; /* of the transaction that was rolled back; NULL: it could not be taken */
    bool stale;                /* likewise: what the chain said is too old by now */
};

/* NULL: recorded, signed or waiting for an approval. Otherwise nothing is, but E_… may stand for a database
 * that has gone silent: the execution may appear yet, and is followed then. */
const struct err *commit_run(struct commit *c);

/* What a refusal before commit_run is answered with, by the steps' `explain` or the approval's state. */
const struct err *commit_explain(struct commit *c, const struct err *e);

/* After commit_run: gives the bytes to the nodes, and waits a little for their answer, which c->out tells.
 * The follower goes on where that fails. */
void commit_send(struct commit *c);

#endif
