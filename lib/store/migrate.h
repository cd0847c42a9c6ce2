/* The schema: an append-only list of files sql/NNN_what.sql, one statement each, applied in order. */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include <stdbool.h>

#include "store/db.h"

enum { SCHEMA_VERSION = 46 }; /* the last file's number: what this program was built for */

/* Applies what is missing while holding a lease row, so that two hosts do not apply at once. */
bool migrate_apply(struct db *db, const char *sql_dir);
/* The version recorded; 0 for an empty database, -1 when the database failed. */
int migrate_version(struct db *db);

#endif
