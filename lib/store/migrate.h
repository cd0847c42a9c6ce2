/* The schema: sql/001_schema.sql holds it as release 1.0.0 has it, and an append-only list of files
 * sql/NNN_what.sql changes it, applied in order. Once released, a file never changes. Its statements, each
 * with a semicolon at the end of a line, must run on MySQL and MariaDB alike, and do no harm when they run
 * twice. A file is known by the number 1000 + NNN, as schemas from before 1.0.0 had numbers up to 150.
 *
 * Lines before a statement may be directives. "-- oldest N", once in each file, names the oldest programs, by
 * their SCHEMA_VERSION, that can live with the schema from this file on: these go on, and are ready.
 * "-- batches TABLE" marks a statement with the values "id >= ? AND id < ?", which runs once for every
 * thousand ids of the table.
 *
 * So an upgrade that rewrites large tables needs no pause:
 * 1. MIGRATE_AHEAD applies what the running programs can live with: those that beat (store/restore_guard.h),
 * or the oldest that the schema allows. It creates the new tables and fills them in batches while requests go
 * on; no statement copies or locks a large table.
 * 2. The new gateway starts, takes over the socket and holds requests until its schema is there.
 * 3. The old programs end, and MIGRATE_ALL applies the rest within a moment: it renames the old tables, so
 * that a program which still writes to them fails with nothing written, copies the few rows that have changed
 * since, and puts the new tables in their place. On a cluster one node does it for all.
 *
 * A database from before 1.0.0 is taken over once, by MIGRATE_ALL, which refuses while anything else uses it:
 * sql/before-1.0.sql has the old migrations, of which the missing ones are applied, and then the renames. It
 * may be interrupted at any point, and goes on when it is run again. Programs of before refuse the database
 * from its beginning, these do until its end. */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include <stdbool.h>

#include "store/db.h"

enum {
    SCHEMA_FIRST = 1001,           /* sql/001_schema.sql */
    SCHEMA_VERSION = SCHEMA_FIRST, /* the last file's number: what this program was built for */
};

enum migrate_reach {
    MIGRATE_AHEAD, /* as far as the running programs can live with it; an empty database has none */
    MIGRATE_ALL,   /* from before 1.0.0, too */
};

/* The files of a folder, so that a program can give up the user that may read them before it asks the
 * database. NULL: one cannot be read, which is logged. The caller frees them. */
struct migrations;
struct migrations *migrations_read(const char *sql_dir);
void migrations_free(struct migrations *files);

/* Applies what is missing while holding a lease row, so that two hosts do not apply at once. */
bool migrate_apply(struct db *db, const struct migrations *files, enum migrate_reach reach);

enum schema_fit {
    SCHEMA_UNKNOWN, /* the database failed */
    SCHEMA_OLDER,   /* files that this program needs are not applied yet */
    SCHEMA_FITS,
    SCHEMA_NEWER, /* this program cannot live with it any more */
};
enum schema_fit migrate_fit(struct db *db);

#endif
