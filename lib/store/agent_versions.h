/* A version of what an agent has at venues: answers of these are kept under it (store/upstream_cache.h), so
 * that after a change which the gateway has recorded none from before it is shown. */
#ifndef STORE_AGENT_VERSIONS_H
#define STORE_AGENT_VERSIONS_H

#include "base/arena.h"
#include "store/db.h"

/* Inside the transaction that records a change. False when the database failed. */
bool agent_versions_renew(struct db *db, uint64_t agent_id);
/* "" where nothing has changed for an hour, in the arena. NULL: the database failed. */
const char *agent_versions_read(struct db *db, struct arena *a, uint64_t agent_id);

#endif
