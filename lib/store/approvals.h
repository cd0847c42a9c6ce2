/* Requests for the operator's approval. Each belongs to a pending swap of which nothing is signed: its terms.
 * Every step is a conditional UPDATE whose row count says whether it was taken. */
#ifndef STORE_APPROVALS_H
#define STORE_APPROVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "model/policy.h"
#include "store/db.h"

/* Inside the execute transaction: waiting; sets expires_ms. */
bool approvals_add(struct db *db, struct approval *ap);
/* agent_id 0: whosever. 1, 0, -1. */
int approvals_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                  struct approval *out);
/* Those that wait, oldest first. Count, or -1. */
int approvals_waiting(struct db *db, struct arena *a, struct approval **out);
/* How many of the agent's wait; -1: the database failed. */
int64_t approvals_count(struct db *db, uint64_t agent_id);

/* 1, 0 it is not in a state for this (any more), -1. */
int approvals_grant(struct db *db, const struct uuid *id);
int approvals_deny(struct db *db, const struct uuid *id); /* one that is granted and not used yet, too */
int approvals_take(struct db *db, const struct uuid *id, uint64_t agent_id); /* granted and in time: used */
/* By its swap, once its time is over; 1 also when the request is gone, with its agent. */
int approvals_lapse(struct db *db, uint64_t swap_id);

#endif
