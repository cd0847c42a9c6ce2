/* Requests for the operator's approval. Each belongs to a pending execution, of which nothing is signed yet.
 * Every step is a conditional UPDATE whose row count says whether it was taken. */
#ifndef STORE_APPROVALS_H
#define STORE_APPROVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/approval.h"
#include "model/list_filter.h"
#include "model/page.h"
#include "store/db.h"

/* Inside the execute transaction: the one that the execution was added with, waiting. Sets expires_ms. */
bool approvals_add(struct db *db, struct approval *ap);
/* agent_id 0: any agent's. */
enum lookup approvals_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                          struct approval *out);
/* The terms of the agent's call, as JSON in the arena; NULL: they were not stored. */
enum lookup approvals_terms(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                            const char **out);
/* Once. */
bool approvals_keep_terms(struct db *db, uint64_t agent_id, const struct uuid *id, const char *terms);
/* The approval of one execution; locks it. */
enum lookup approvals_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                   struct approval *out);
/* All agents' that wait, oldest first. Returns how many. */
int approvals_waiting(struct db *db, struct arena *a, struct approval **out);
/* The same for those that wait or are granted and not used, which may still be carried out. */
int approvals_open(struct db *db, struct arena *a, struct approval **out);
/* How many of the agent's wait. */
int64_t approvals_count(struct db *db, uint64_t agent_id);
/* The agent's, newest first, and how many the filter lets through; state 0: any. Returns how many. */
int approvals_page(struct db *db, struct arena *a, uint64_t agent_id, enum approval_state state,
                   const struct list_filter *f, const struct page *p, struct approval *out, uint64_t *total);

/* Moves it if it still is in ap->state: to GRANTED and USED before it expires, to LAPSED afterwards, to
 * DENIED at any time. UNCHANGED if it was in another state or this is not the time. */
enum db_update approvals_move(struct db *db, const struct approval *ap, enum approval_state to);
/* Counts that move in the totals; after the locks of executions and agents. */
bool approvals_count_move(struct db *db, const struct approval *ap, enum approval_state to);

#endif
