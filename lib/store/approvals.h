/* Requests for the operator's approval. Each belongs to a pending swap of which nothing is signed: its terms.
 * Every step is a conditional UPDATE whose row count says whether it was taken. */
#ifndef STORE_APPROVALS_H
#define STORE_APPROVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/approval.h"
#include "model/page.h"
#include "store/db.h"

/* Inside the execute transaction: waiting; sets expires_ms. */
bool approvals_add(struct db *db, struct approval *ap);
/* agent_id 0: any agent's. */
enum found approvals_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                         struct approval *out);
/* That of an execution, locked. */
enum found approvals_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                  struct approval *out);
/* Those that wait, oldest first. Count, or -1. */
int approvals_waiting(struct db *db, struct arena *a, struct approval **out);
/* How many of the agent's wait; -1: the database failed. */
int64_t approvals_count(struct db *db, uint64_t agent_id);
/* The agent's, newest first, and the total that the filter matches; state 0: any. Count, or -1. */
int approvals_page(struct db *db, struct arena *a, uint64_t agent_id, enum approval_state state,
                   const struct page *p, struct approval *out, uint64_t *total);

/* Where it still is ap->state: to GRANTED and USED in its time, to LAPSED after it, to DENIED at any time. 1,
 * 0 it is elsewhere or not the time for it, -1. */
int approvals_move(struct db *db, const struct approval *ap, enum approval_state to);
/* What was moved, in the totals: after the locks of swaps and agents. */
bool approvals_count_move(struct db *db, const struct approval *ap, enum approval_state to);

#endif
