/* Swaps, their signed transactions and their history. */
#ifndef STORE_EXECUTIONS_H
#define STORE_EXECUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "model/page.h"
#include "store/db.h"

/* ---- inside the execute transaction ---- */

/* Writes a new pending swap with its first history row and the agent's total; sets s->id. The poller looks at
 * it only after `hands_off_s`, the time that the request itself takes to offer it. 1, 0 the agent is gone:
 * roll back, -1 the database failed. */
int executions_add(struct db *db, struct execution *s, unsigned hands_off_s);
/* A pending swap that was waiting for an approval goes on, with the terms of its new quote. 1, 0 it is not
 * pending any more or the agent is gone: roll back, -1 the database failed. */
int executions_begin(struct db *db, const struct execution *s, unsigned hands_off_s);

/* ---- reading ---- */

/* The agent's execution with this `once`. */
enum found executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id);
/* agent_id 0: any agent's. */
enum found executions_get(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id,
                          struct execution *out);
/* How an execution failed when that was announced last, and when; for one that was corrected since. */
enum found executions_failed_as(struct db *db, struct arena *a, uint64_t id, const char **why,
                                int64_t *at_ms);
/* Newest first; listed 0: any. Count, or -1. */
int executions_page(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                    const struct page *p, struct execution *out);

/* ---- following, inside a transaction ---- */

struct execution_move {
    uint64_t id;
    enum exec_kind_id kind;
    uint64_t agent_id;
    enum exec_status from, to;
    const char *why;               /* for the history */
    const uint8_t *tx_hash;        /* 32 bytes to show from now on, or NULL to leave it */
    const struct u256 *amount_out; /* what arrived, for COMPLETED */
    const char *error_code;        /* for FAILED; NULL otherwise */
    const char *error_message;
};
/* Status where it still is `from`, a history row, the agent's totals; from FAILED it counts as corrected. 1
 * moved, 0 it was elsewhere, -1 failed.
 * A move that the table does not allow ends the program: it is a bug. */
int executions_move(struct db *db, const struct execution_move *m);
/* Not in flight any more, and not followed further or once more. */
bool executions_settle(struct db *db, uint64_t id, enum exec_follow next);

/* ---- the poller's work list ---- */

/* Claims up to `max` due swaps for `owner`, those in flight first. Rows claimed, or -1. */
int64_t executions_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max);
/* What the owner holds. Count, or -1. */
int executions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct execution **out);
/* Gives back what the owner holds; the next look comes sooner for the young than for the old, and after
 * `second_look_s` where it is one more look at a failure. */
bool executions_release(struct db *db, const struct uuid *owner, unsigned second_look_s);
/* How long the longest waiting swap is overdue, in seconds; -1: the database failed. */
int64_t executions_overdue(struct db *db);
/* How many are followed; -1: the database failed. */
int64_t executions_in_flight(struct db *db);

#endif
