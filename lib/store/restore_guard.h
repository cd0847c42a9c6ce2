/* By what an older database is recognised that was put in the place of the real one: a number for each host
 * that the database and a file of the host, next to the signer's, count together, the database first. The
 * file is thus never ahead, unless the database has lost what came after an earlier beat. Trading is then
 * stopped for all (HALT_RESTORED) until `agentctl reconcile`. */
#ifndef STORE_RESTORE_GUARD_H
#define STORE_RESTORE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"

#include "store/db.h"

#define RESTORE_GUARD_FILE "pulse" /* in signer_dir */

/* The host's file, made if need be; -1 with errno. */
int restore_guard_open(const char *signer_dir);

/* Counts one beat, after looking whether the database is older; may be called by several processes at once.
 * False when the database failed or the file cannot be written. */
bool restore_guard_beat(struct db *db, int fd);

/* Which host it is; false: the file says nothing yet. */
bool restore_guard_host(int fd, struct uuid *out);

/* The database as it is counts as the real one from now on, for all hosts that it knows. */
bool restore_guard_accept(struct db *db);

/* Rows that an older dump lacks are younger than *ms: its last beat, before the host found that it was older;
 * else the last one that there was. LOOKUP_NONE: there was none. */
enum lookup restore_guard_lost_from(struct db *db, int64_t *ms);

#endif
