/* What an agent may store. Whoever adds to it asks first, inside its own transaction; those who ask for one
 * agent come one after the other until their transactions end, so the limits hold however many come at once.
 * What is deleted makes room by being gone: nothing is counted apart from the rows themselves. */
#ifndef STORE_QUOTAS_H
#define STORE_QUOTAS_H

#include "service/conf.h"
#include "store/db.h"

enum { QUOTA_FULL = -2 };

/* Whether there is room for so much more of a kind below `limit`: 1, 0, -1 the database failed. Before other
 * rows of the agent are locked. */
int quotas_room(struct db *db, uint64_t agent_id, enum quota kind, uint64_t more, uint64_t limit);

/* One more line that the agent itself causes in the audit log, which keeps lines for ever: 1, 0 it had its
 * share of the day, -1. */
int quotas_audit_line(struct db *db, uint64_t agent_id, uint64_t limit);

#endif
