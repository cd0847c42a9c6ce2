/* Signed requests to venues: the effects of an execution that are no transactions. */
#ifndef STORE_REQUESTS_H
#define STORE_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"
#include "store/transactions.h"

/* Inside the execute transaction; sets its id and state. Returns false if the database failed, or
 * (db_duplicate) if there is one for the venue with this key, or with this nonce of its signer. */
bool requests_add(struct db *db, struct venue_request *r);

/* Of one execution, in the order of signing; bytes in the arena. Returns the count, or -1. */
int requests_of(struct db *db, struct arena *a, uint64_t execution_id, struct venue_request **out);
/* Of all executions that the owner has claimed, by execution and order of signing. Returns the count, or -1.
 */
int requests_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct venue_request **out);

bool requests_broadcast(struct db *db, const struct broadcast *o);
/* To EFFECT_INCLUDED when the venue has it, back to EFFECT_OPEN when it has not; for good to EFFECT_SETTLED,
 * with how it ended, or to EFFECT_LOST, as the venue refuses it from now on. One that is settled or lost
 * stays so. */
bool requests_move(struct db *db, uint64_t id, enum effect_state to, bool succeeded);

#endif
