/* What deleted agents left: removed in batches, each of which may be repeated. */
#ifndef STORE_PURGES_H
#define STORE_PURGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/db.h"

/* Claims one deleted agent that has something due, for a minute. */
enum found purges_claim(struct db *db, uint64_t *agent_id);

/* Removes up to `max` rows of each kind. Swaps in flight stay until they are settled, with what they need;
 * those that no node has included within a day of their end will not be included any more. Rows removed, or
 * -1. */
int64_t purges_batch(struct db *db, uint64_t agent_id, uint64_t max);

/* After a batch that removed nothing: ends the purge when nothing is left and no request of the agent can be
 * under way any more. 1 ended, 0 not yet, -1 the database failed. */
int purges_end(struct db *db, uint64_t agent_id);

#endif
