/* Signed requests to venues: the effects of an execution that are no transactions. */
#ifndef STORE_REQUESTS_H
#define STORE_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"
#include "store/transactions.h"

/* Inside the execute transaction: open; sets r->id. false: the database failed, or (db_duplicate) the venue
 * has one with its key, or its signer's nonce, already. */
bool requests_add(struct db *db, struct venue_request *r);

/* Those of an execution in the order of signing; texts and bytes in the arena. Count, or -1. */
int requests_of(struct db *db, struct arena *a, uint64_t execution_id, struct venue_request **out);
/* Those of all executions that the owner holds, by execution and order of signing. Count, or -1. */
int requests_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct venue_request **out);

/* What the venue said when it was sent once more. */
bool requests_broadcast(struct db *db, const struct broadcast *o);
/* EFFECT_OPEN, EFFECT_INCLUDED: the venue has it not, or has it. EFFECT_SETTLED, with how it ended, and
 * EFFECT_LOST, the venue refuses it from now on: for good, and a request that is there stays there. */
bool requests_move(struct db *db, uint64_t id, enum effect_state to, bool succeeded);

#endif
