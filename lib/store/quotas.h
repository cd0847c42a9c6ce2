/* Quotas of an agent's stored rows. A request that adds to it asks first, inside its own transaction; of
 * requests that ask for one agent, each waits until the transaction of the one before has ended, so the
 * limits hold for any number at once. Deleting rows makes room: nothing but the rows themselves is
 * counted. */
#ifndef STORE_QUOTAS_H
#define STORE_QUOTAS_H

#include "service/conf.h"
#include "store/db.h"

/* Whether there is room for so much more of a kind below `limit`; UNCHANGED: there is none. To be asked
 * before other rows of the agent are locked. */
enum db_update quotas_room(struct db *db, uint64_t agent_id, enum quota kind, uint64_t more, uint64_t limit);

/* One more line that the agent itself causes in the audit log, which keeps lines for ever. UNCHANGED if it
 * has used up its share of the day. */
enum db_update quotas_audit_line(struct db *db, uint64_t agent_id, uint64_t limit);

#endif
