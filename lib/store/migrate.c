#include "store/migrate.h"

#include <dirent.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

enum { MAX_FILE = 64 * 1024, LEASE_SECONDS = 60, LEASE_TRIES = 120 };

static const char CREATE[] = "CREATE TABLE IF NOT EXISTS schema_version ("
                             " one TINYINT UNSIGNED NOT NULL PRIMARY KEY,"
                             " version INT UNSIGNED NOT NULL,"
                             " lease_owner BINARY(16) NULL,"
                             " lease_until DATETIME(3) NULL) ENGINE=InnoDB";
static const char SEED[] = "INSERT IGNORE INTO schema_version (one, version) VALUES (1, 0)";
static const char LEASE[] =
    "UPDATE schema_version SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ?"
    " SECOND WHERE one = 1 AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))";
static const char RELEASE[] =
    "UPDATE schema_version SET lease_until = NULL WHERE one = 1 AND lease_owner = ?";
static const char VERSION[] = "SELECT version FROM schema_version WHERE one = 1";
static const char EXISTS[] = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
                             " AND table_name = 'schema_version'";
static const char RECORD[] = "UPDATE schema_version SET version = ? WHERE one = 1 AND lease_owner = ?";

static int one_number(struct db *db, const char *sql)
{
    struct stmt *st = db_prepare(db, sql);

    return db_one(st) == 1 ? (int)col_u64(st, 0) : -1;
}

int migrate_version(struct db *db)
{
    int exists = one_number(db, EXISTS);

    return exists == 1 ? one_number(db, VERSION) : exists;
}

static bool read_file(struct buf *out, const char *dir, const char *name)
{
    struct buf path = BUF_INIT(4096);
    char chunk[4096];
    size_t n;
    FILE *f;

    buf_addf(&path, "%s/%s", dir, name);
    f = fopen(buf_text(&path), "r");
    buf_free(&path);
    if (f == NULL)
        return false;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        buf_add(out, chunk, n);
    n = (size_t)ferror(f);
    (void)fclose(f);
    return n == 0 && !out->overflow;
}

/* NNN of "NNN_what.sql", or 0. */
static int file_number(const char *name)
{
    char *end;
    long n = strtol(name, &end, 10);
    size_t len = strlen(name);

    return end == name + 3 && *end == '_' && len > 4 && strcmp(name + len - 4, ".sql") == 0 ? (int)n : 0;
}

static bool apply_file(struct db *db, const struct uuid *owner, const char *dir, const char *name)
{
    /* The statement cache goes by address; a migration runs once per process, so its text may stay allocated.
     */
    struct buf sql = BUF_INIT(MAX_FILE);
    struct stmt *st;
    /* Stopped between a file and its number, a file runs again; MySQL has no ADD KEY IF NOT EXISTS. */
    bool ok = read_file(&sql, dir, name) && (db_run(db, buf_text(&sql)) || db_there_already(db));

    if (ok) {
        st = db_prepare(db, RECORD);
        bind_u64(st, (uint64_t)file_number(name));
        bind_uuid(st, owner);
        ok = db_exec(st) == 1;
    }
    buf_free(&sql);
    if (!ok)
        log_error("msg=\"migration failed\" file=%s", name);
    else
        log_info("msg=\"migration applied\" file=%s", name);
    return ok;
}

static bool apply_missing(struct db *db, const struct uuid *owner, const char *dir)
{
    struct dirent **files;
    int version = one_number(db, VERSION), n = scandir(dir, &files, NULL, alphasort);
    bool ok = version >= 0 && n >= 0;

    if (n < 0)
        log_error("msg=\"no such folder\" sql_dir=%s", dir);
    for (int i = 0; i < n; i++) {
        if (ok && file_number(files[i]->d_name) > version)
            ok = apply_file(db, owner, dir, files[i]->d_name);
        free(files[i]);
    }
    if (n >= 0)
        free(files);
    return ok;
}

static bool take_lease(struct db *db, const struct uuid *owner)
{
    for (int i = 0; i < LEASE_TRIES; i++) {
        struct stmt *st = db_prepare(db, LEASE);
        int64_t taken;

        bind_uuid(st, owner);
        bind_u64(st, LEASE_SECONDS);
        taken = db_exec(st);
        if (taken != 0)
            return taken == 1;
        usleep(500 * 1000);
    }
    log_error("msg=\"another process holds the schema lease\"");
    return false;
}

bool migrate_apply(struct db *db, const char *sql_dir)
{
    struct uuid owner = uuid_random();
    struct stmt *st;
    bool ok;

    if (!db_run(db, CREATE) || !db_run(db, SEED) || !take_lease(db, &owner))
        return false;
    ok = apply_missing(db, &owner, sql_dir);
    st = db_prepare(db, RELEASE);
    bind_uuid(st, &owner);
    return db_exec(st) >= 0 && ok;
}
