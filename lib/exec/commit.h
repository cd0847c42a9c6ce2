/* Committing an execution: exactly once, for every kind. From a plan the order of work is
 *   ask the chain, try the plan → one transaction: trading halt, take, wallet's lock, nonces, funds,
 * policies, sign, store → COMMIT → send. A plan without steps asks no chain: what its requests may take at
 * their venue is the market's to check and, by the hook `fit`, to hold against what others may take. Nothing
 * is sent that is not stored; what is stored is sent again until it is settled. No network call but the
 * signer's happens inside the transaction. */
#ifndef EXEC_COMMIT_H
#define EXEC_COMMIT_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/chain_ops.h"
#include "exec/plan.h"
#include "model/approval.h"
#include "model/wallet.h"
#include "model/withdrawal.h"
#include "policy/spend_facts.h"
#include "service/ctx.h"
#include "store/db.h"
#include "store/transactions.h"
#include "store/wallets.h"

struct commit;

struct commit_result {
    struct execution execution; /* on success, as it is stored */
    uint64_t lost_to; /* with a refusal: the agent's own execution that used up what this one wanted to take;
                         0: none, or another agent's */
    /* On success: nothing is signed yet, the operator has to approve it first. The execution is there and
     * pending; its terms are what is approved. */
    bool awaits;
    const void *own; /* on success: what its kind keeps in addition to it (struct execution_shown); NULL: to
                        be read */
    bool more;       /* after commit_send: a venue shows more of its request than that it took it */
    struct uuid approval;
    int64_t approval_expires_ms;
};

/* Written into the committing transaction, with the new (pending) execution. UNCHANGED: the request is
 * answered elsewhere, so that nothing may be committed here. */
struct commit_note {
    enum db_update (*fn)(void *arg, const struct commit_result *r);
    void *arg;
};

/* A market's hooks in the commit of its kind; each may be NULL. */
struct commit_hooks {
    /* Before the transaction: the refusal that follows from c->state, such as too bad a price; or NULL. */
    const struct err *(*check)(const struct commit *c);
    /* Adds facts for the policies that only the market knows. */
    void (*spend_facts)(const struct commit *c, struct spend_facts *o);
    /* Inside the transaction, before the wallet's lock: takes what can be used only once. UNCHANGED: it
     * cannot be taken any more. */
    enum db_update (*take)(const struct commit *c, struct db *db);
    /* Under the wallet's lock: the refusal that follows from what else is in progress; or NULL. */
    const struct err *(*locked)(struct commit *c);
    /* Under the wallet's lock: sets how much leaves, in the plan and in the terms, to the available
     * balance. */
    const struct err *(*fit)(struct commit *c, const struct reservation *reserved);
    /* Inside the transaction: writes the market's own row in addition to out->execution. c->requests are
     * signed then, unless the execution waits for an approval (out->awaits). False when the database failed.
     */
    bool (*store)(struct commit *c, struct db *db);
    /* After the transaction was rolled back: the reason to tell. `e` is the first reason found, NULL when it
     * could not be taken; another execution's having taken it comes before every other reason. */
    const struct err *(*explain)(struct commit *c, const struct err *e);
};

struct commit {
    const struct ctx *ctx;
    struct arena *arena;
    const struct wallet *wallet;
    struct plan *plan;
    struct execution terms; /* what is recorded: kind, venue, once, tokens and amounts */
    struct ppm slippage;    /* that they allow */
    const struct commit_hooks *hooks;
    const void *market;        /* for the hooks alone */
    const struct err *failure; /* the answer when the database or the signer fails */
    /* The operator's approval, which is used up instead of taking anything: an execution that waits goes on.
     * NULL: a new one. */
    const struct approval *approved;
    /* The agent's own, which is the plan's recipient: the signer is shown its record. NULL: the signer knows
     * who is paid without it. */
    const struct wallet *far_wallet;
    /* The address that is paid, as the signer knows it. NULL: the signer knows who is paid without it. */
    const struct address_record *record;
    /* The operator's own order. NULL: the agent's. */
    const struct operator_mac *operator_mac;
    bool any_halt;                  /* a stop of the agent alone holds it too, of each kind */
    int64_t approvable_until_ms;    /* later it is of no use, so that waiting ends then; 0: it always is */
    const struct commit_note *note; /* NULL: none */
    struct commit_result *out;
    /* ---- the engine's ---- */
    const struct chain_ops *family; /* of the plan's chain; NULL: the plan has no steps */
    const struct exec_kind *kind;   /* which stops and which policies hold it: exec/kind.h */
    struct chain_state state;
    uint64_t far_block; /* the newest one of the chain that a bridge leads to; 0: there is none, or no node */
    struct spend_facts spend_facts;
    struct wallet_locked locked;
    uint64_t nonce; /* of the first step */
    struct transaction txs[PLAN_MAX_STEPS];
    struct venue_request requests[PLAN_MAX_REQUESTS];
    const struct err *refusal; /* of the transaction that was rolled back; NULL: it could not be taken */
    bool stale;                /* of that transaction: the chain's answer is too old by now */
    /* Reservations decide: what they are for may have been taken already. Then it is looked up, once. */
    bool contested, looks_up;
};

/* NULL: it is recorded, and signed or waiting for an approval. Otherwise nothing is recorded, except that
 * after `failure` the execution may still appear where the database went silent; it is followed then. */
const struct err *commit_run(struct commit *c);

/* The answer to a refusal that comes before commit_run, by the hook `explain` or the approval's state. */
const struct err *commit_explain(struct commit *c, const struct err *e);

/* After commit_run: sends the stored bytes and waits up to 3 seconds for a node or, where there are no
 * transactions, for each venue; c->out shows the answer. Does nothing for an execution that waits for an
 * approval. The follower takes over where this fails. */
void commit_send(struct commit *c);

#endif
