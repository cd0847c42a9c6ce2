/* Rows of deleted agents, which are removed in batches, each of which may be repeated. */
#ifndef STORE_PURGES_H
#define STORE_PURGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/db.h"

/* Claims one deleted agent that has something due, for a minute. */
enum lookup purges_claim(struct db *db, uint64_t *agent_id);

/* Removes up to `max` rows of each kind. Executions in flight stay until they are settled, with what they
 * need; those that were not included within a day of their end never will be. Orders stay as long until their
 * cancel is done. Returns how many rows. */
int64_t purges_batch(struct db *db, uint64_t agent_id, uint64_t max);

/* After a batch that removed nothing: ends the purge when nothing is left and no request of the agent can be
 * in progress any more. UNCHANGED: not yet. */
enum db_update purges_end(struct db *db, uint64_t agent_id);

#endif
