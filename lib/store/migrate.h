/* The schema: an append-only list of files sql/NNN_what.sql, one statement each, applied in order.
 *
 * A file is changed no more once it is released, does no harm when it runs twice, and runs on MySQL and
 * MariaDB alike. Its first lines may say
 *     -- oldest N        the oldest programs (by their SCHEMA_VERSION) that can live with the schema from
 * here on; without it, those of this very file
 *     -- batches TABLE   the statement has two values, "id >= ? AND id < ?": it runs for all ids of the
 * table, a thousand at a time, each time in a transaction of its own
 *
 * So a release that moves many rows needs no pause. First MIGRATE_AHEAD applies what the running programs can
 * live with: it adds tables and columns at once, without copying one, and fills them in batches, while
 * requests go on. Then the new gateway is started: it takes the socket over and holds the requests until its
 * schema is there. The old programs are told to end, and MIGRATE_ALL applies the rest within a moment: it
 * renames the old table out of the way, which whoever still writes to it survives only with an error and
 * nothing written, carries over the few rows that have changed meanwhile, and puts the new one in its place.
 * On a cluster one node does it for all; each step there is as short for the others. */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include <stdbool.h>

#include "store/db.h"

enum { SCHEMA_VERSION = 74 }; /* the last file's number: what this program was built for */

enum migrate_reach {
    MIGRATE_AHEAD, /* as far as the programs of before can live with it */
    MIGRATE_ALL,
};
/* Applies what is missing while holding a lease row, so that two hosts do not apply at once. */
bool migrate_apply(struct db *db, const char *sql_dir, enum migrate_reach reach);

enum schema_fit {
    SCHEMA_UNKNOWN, /* the database failed */
    SCHEMA_OLDER,   /* files that this program needs are not applied yet */
    SCHEMA_FITS,
    SCHEMA_NEWER, /* this program cannot live with it any more */
};
enum schema_fit migrate_fit(struct db *db);

#endif
