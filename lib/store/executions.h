/* Executions, their history, and the follower's claims on them. */
#ifndef STORE_EXECUTIONS_H
#define STORE_EXECUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "model/page.h"
#include "store/db.h"
#include "store/execution_own.h"

enum { EXECUTIONS_AT_ONCE = 16 };

/* Inside a transaction: its effects are sent until then. */
bool executions_valid_until(struct db *db, uint64_t id, int64_t valid_until_ms);

/* ---- inside the execute transaction, each with executions_count after it ---- */

/* Writes a new pending execution; sets s->id. Without s->created_ms it is created now. The follower leaves it
 * alone for `hands_off_s`, the time that the request itself takes to broadcast it. With an approval
 * approvals_add follows. */
bool executions_add(struct db *db, struct execution *s, unsigned hands_off_s);
/* Continues a pending execution that was waiting for an approval, with the terms of its new quote. UNCHANGED
 * if it is no longer pending: roll back. */
enum db_update executions_begin(struct db *db, const struct execution *s, unsigned hands_off_s);

/* ---- reading ---- */

/* The agent's execution with this `once`. */
enum lookup executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id);
/* agent_id 0: any agent's. */
enum lookup executions_get(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id,
                           struct execution *out);
/* Up to EXECUTIONS_AT_ONCE, by id, of any agent. Returns how many. */
int executions_get_all(struct db *db, struct arena *a, const uint64_t *ids, size_t n, struct execution **out);
/* Of up to EXECUTIONS_AWAITED, of any agents, which have ended; what is not there has. One that has placed an
 * order which never rests has ended with that; with `order`, so has one that has placed any other. */
struct execution_awaited {
    uint64_t id;
    bool order;
};
enum { EXECUTIONS_AWAITED = 160 };
bool executions_ended(struct db *db, const struct execution_awaited *of, size_t n, bool *ended);
/* The failure of an execution that was announced last, and its time; for one that was corrected since. */
enum lookup executions_failed_as(struct db *db, struct arena *a, uint64_t id, const char **why,
                                 int64_t *at_ms);
/* Those that GET /swaps lists, newest first, each without what only the engine needs: agent, wallet, kind,
 * venue, once, follow, min_out and valid_until. listed 0: any status. Returns how many. */
int executions_page(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                    const struct page *p, struct execution *out);

/* The same of those that a filter lets through, and how many there are: the
 * agent's rows are read. */
int executions_filtered(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                        const struct list_filter *f, const struct page *p, struct execution *out,
                        uint64_t *total);

/* The agent's swaps that have left one chain and not arrived on the other,
 * newest first, at most IN_TRANSIT_MAX. Returns how many. */
enum { IN_TRANSIT_MAX = 100 };
int executions_in_transit(struct db *db, struct arena *a, uint64_t agent_id, struct execution **out);

/* The agent's newest of that kind, none that lists show as a swap, which has not ended. */
enum lookup executions_under_way(struct db *db, uint64_t agent_id, enum exec_kind_id kind, uint64_t *id);

/* The agent's that have not ended, of any kind, then those of which the bridge alone is followed still:
 * newest first, at most EXECUTIONS_UNENDED_MAX of either. Returns how many. */
enum { EXECUTIONS_UNENDED_MAX = 100 };
int executions_unended(struct db *db, struct arena *a, uint64_t agent_id, struct execution **out);

/* Each token that any of the agent's executions gave or was to bring, by kind, at most EXECUTION_PLACES_MAX.
 * Reads all of them. Returns how many. */
enum { EXECUTION_PLACES_MAX = 2000 };
struct execution_place {
    enum exec_kind_id kind;
    struct token_ref token;
};
int executions_places(struct db *db, struct arena *a, uint64_t agent_id, struct execution_place **out);

/* Deposits, withdrawals and redemptions of prediction markets, which have no table of their own. */
own_page_fn executions_transfers;

/* ---- following, inside a transaction ---- */

struct execution_move {
    uint64_t id;
    enum exec_kind_id kind;
    uint64_t agent_id;
    enum exec_status from, to;     /* from 0: it is new */
    const char *why;               /* for the history */
    const struct tx_hash *tx_hash; /* to show from now on, or NULL to leave it */
    const struct u256 *amount_out; /* what arrived, for COMPLETED */
    const struct u256 *fee;        /* that the chain took for it in the end; NULL: it is not known */
    const char *error_code;        /* for FAILED; NULL otherwise */
    const char *error_message;
    bool untasked; /* no task can have it yet */
    /* Whether it is no longer in flight with that, and looked at once more or not. */
    bool settles;
    enum exec_follow next;
};
/* Sets the status of each, up to EXECUTIONS_AT_ONCE, if it still is `from`, and writes history rows; a move
 * from FAILED marks it as corrected. UNCHANGED if a status was another one: roll back where others may have
 * moved before it. A move that the table does not allow is a bug and ends the program. */
enum db_update executions_move(struct db *db, const struct execution_move *moves, size_t n);
/* With these moves, sorted by agent, in the same transaction: updates the agents' totals. As late as can be,
 * since all of an agent's executions wait for that row; but before its events. UNCHANGED: an agent is gone.
 * Of orders the market counts its own (orders_count). */
enum db_update executions_count(struct db *db, const struct execution_move *moves, size_t n);
/* They, as many, are no longer in flight without a move: `next` says whether they are looked at once more.
 * `from` is the status that all of them have, 0: any. UNCHANGED: not all have it, since another process has
 * moved one. */
enum db_update executions_settle(struct db *db, const uint64_t *ids, size_t n, enum exec_status from,
                                 enum exec_follow next);

/* It is followed on its chain again, at once, in each status. UNCHANGED: it is, or there is none. */
enum db_update executions_follow_again(struct db *db, uint64_t id);

/* Within a transaction: keeps it followed on its chain until the commit. LOOKUP_NONE: it is settled, and a
 * process that stood still meanwhile must not add to it. */
enum lookup executions_hold(struct db *db, uint64_t id);

/* ---- the follower's work list ---- */

/* Claims up to `max` due executions for `owner`, those in flight first. Returns how many. */
int64_t executions_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max);
/* The executions that the owner has claimed. Returns how many. */
int executions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct execution **out);
/* Releases what the owner has claimed. Young executions are due again sooner than old ones, settled failures
 * after `recheck_s`, and those of which the bridge alone is followed with that. */
bool executions_release(struct db *db, const struct uuid *owner, unsigned recheck_s);
/* Both at once, between two batches: releases what `done` has claimed, then claims for `owner`. Returns how
 * many, or -1, and then nothing is released. */
int64_t executions_claim_next(struct db *db, const struct uuid *done, unsigned recheck_s,
                              const struct uuid *owner, unsigned lease_s, unsigned max);
/* By how many seconds the oldest due execution is overdue. */
int64_t executions_overdue(struct db *db);
/* How many are in flight; 2000 at most. */
int64_t executions_in_flight(struct db *db);

#endif
