#include "store/migrate.h"

#include <dirent.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "codec/uuid.h"

enum { MAX_FILE = 64 * 1024, LEASE_SECONDS = 60, LEASE_TRIES = 120, BATCH = 1000 };

/* `applied` is the last file's number. `version` is that of the oldest programs that can live with what is
 * there; programs older than this pair of numbers want it to be their own. */
static const char CREATE[] = "CREATE TABLE IF NOT EXISTS schema_version ("
                             " one TINYINT UNSIGNED NOT NULL PRIMARY KEY,"
                             " version INT UNSIGNED NOT NULL,"
                             " lease_owner BINARY(16) NULL,"
                             " lease_until DATETIME(3) NULL) ENGINE=InnoDB";
static const char ADD_APPLIED[] = "ALTER TABLE schema_version ADD COLUMN applied INT UNSIGNED NULL";
static const char SEED[] = "INSERT IGNORE INTO schema_version (one, version) VALUES (1, 0)";
static const char LEASE[] =
    "UPDATE schema_version SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND,"
    " applied = COALESCE(applied, version)"
    " WHERE one = 1 AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))";
static const char KEEP_LEASE[] =
    "UPDATE schema_version SET lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE one = 1 AND lease_owner = ?";
static const char RELEASE[] =
    "UPDATE schema_version SET lease_until = NULL WHERE one = 1 AND lease_owner = ?";
/* 0: no schema at all; 1: made by programs that knew one number. */
static const char NUMBERS[] =
    "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE()"
    " AND table_name = 'schema_version' AND column_name IN ('version', 'applied')";
/* Whether the table in which gateways show that they run (store/pulse.h) has its column. */
static const char KNOWS_RUNNING[] =
    "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE()"
    " AND table_name = 'pulses' AND column_name = 'programs'";
static const char RUNNING[] =
    "SELECT COALESCE(MIN(programs), 0) FROM pulses WHERE at > UTC_TIMESTAMP(3) - INTERVAL 60 SECOND";
static const char VERSION[] = "SELECT version, version FROM schema_version WHERE one = 1";
static const char VERSIONS[] = "SELECT version, COALESCE(applied, version) FROM schema_version WHERE one = 1";
static const char SET_OLDEST[] = "UPDATE schema_version SET version = ? WHERE one = 1 AND lease_owner = ?";
static const char SET_APPLIED[] = "UPDATE schema_version SET applied = ? WHERE one = 1 AND lease_owner = ?";

struct versions {
    unsigned oldest, applied;
};

/* A file's directives in the lines before its statement. */
struct directions {
    unsigned oldest;  /* 0: nothing */
    char batches[65]; /* a table, or "" */
};

struct file {
    unsigned number;
    char *name;
    struct buf sql;
    struct directions directions;
};

struct migrations {
    size_t count;
    struct file files[]; /* by number */
};

struct migration {
    struct db *db;
    enum migrate_reach reach;
    struct uuid owner;
    struct versions at; /* `applied` as it was at the beginning */
    unsigned running;   /* the oldest programs that are known to run; 0: none are */
};

/* -1: the database failed. */
static int count_numbers(struct db *db)
{
    struct stmt *st = db_prepare(db, NUMBERS);

    return db_one(st) == LOOKUP_FOUND ? (int)col_u64(st, 0) : -1;
}

static bool read_versions(struct db *db, struct versions *out)
{
    int numbers = count_numbers(db);
    enum lookup found;
    struct stmt *st;

    *out = (struct versions){ 0, 0 };
    if (numbers <= 0)
        return numbers == 0;
    st = db_prepare(db, numbers == 1 ? VERSION : VERSIONS);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = (struct versions){ (unsigned)col_u64(st, 0), (unsigned)col_u64(st, 1) };
    return found != LOOKUP_ERROR;
}

enum schema_fit migrate_fit(struct db *db)
{
    struct versions at;

    if (!read_versions(db, &at))
        return SCHEMA_UNKNOWN;
    if (at.oldest > SCHEMA_VERSION)
        return SCHEMA_NEWER;
    return at.applied < SCHEMA_VERSION ? SCHEMA_OLDER : SCHEMA_FITS;
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
static unsigned file_number(const char *name)
{
    char *end;
    long n = strtol(name, &end, 10);
    size_t len = strlen(name);

    return end == name + 3 && *end == '_' && len > 4 && strcmp(name + len - 4, ".sql") == 0 ? (unsigned)n : 0;
}

static struct directions read_directions(const char *sql)
{
    static const char oldest[] = "-- oldest ";
    struct directions d = { 0, "" };

    for (; strncmp(sql, "--", 2) == 0; sql += strcspn(sql, "\n"), sql += *sql == '\n') {
        if (strncmp(sql, oldest, strlen(oldest)) == 0)
            d.oldest = (unsigned)strtoul(sql + strlen(oldest), NULL, 10);
        (void)sscanf(sql, "-- batches %64[a-z_]", d.batches);
    }
    return d;
}

static bool file_read(struct file *out, const char *dir, const char *name)
{
    *out = (struct file){ file_number(name), strdup(name), BUF_INIT(MAX_FILE), { 0, "" } };
    if (out->name == NULL || !read_file(&out->sql, dir, name))
        return false;
    out->directions = read_directions(buf_text(&out->sql));
    return out->directions.oldest > 0;
}

static int is_migration(const struct dirent *entry)
{
    return file_number(entry->d_name) > 0;
}

struct migrations *migrations_read(const char *sql_dir)
{
    struct dirent **entries;
    int n = scandir(sql_dir, &entries, is_migration, alphasort);
    struct migrations *all;
    bool ok;

    if (n < 0) {
        log_error("migration_failed", "msg=\"no such folder\" sql_dir=%s", sql_dir);
        return NULL;
    }
    all = calloc(1, sizeof *all + (size_t)n * sizeof all->files[0]);
    ok = all != NULL;
    for (int i = 0; i < n; i++) {
        if (ok) {
            ok = file_read(&all->files[all->count++], sql_dir, entries[i]->d_name);
            if (!ok)
                log_error("migration_failed",
                          "msg=\"the file cannot be read, or has no line -- oldest\" file=%s",
                          entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    if (ok)
        return all;
    migrations_free(all);
    return NULL;
}

void migrations_free(struct migrations *files)
{
    if (files == NULL)
        return;
    for (size_t i = 0; i < files->count; i++) {
        free(files->files[i].name);
        buf_free(&files->files[i].sql);
    }
    free(files);
}

static bool set_number(struct migration *m, const char *sql, unsigned number)
{
    struct stmt *st = db_prepare(m->db, sql);

    bind_u64(st, number);
    bind_uuid(st, &m->owner);
    return db_exec(st) == 1;
}

/* The smallest id above the last; 0 when the database failed. */
static uint64_t end_of_ids(struct db *db, const char *table)
{
    struct buf sql = BUF_INIT(256);
    struct stmt *st;
    uint64_t end;

    buf_addf(&sql, "SELECT COALESCE(MAX(id), 0) + 1 FROM %s", table);
    st = db_prepare(db, buf_text(&sql));
    end = db_one(st) == LOOKUP_FOUND ? col_u64(st, 0) : 0;
    db_forget(st);
    buf_free(&sql);
    return end;
}

static bool run_batch(struct migration *m, struct stmt *st, uint64_t id)
{
    bind_u64(st, id);
    bind_u64(st, id + BATCH);
    return db_exec(st) >= 0 && set_number(m, KEEP_LEASE, LEASE_SECONDS);
}

/* To the end of the table, which grows meanwhile. */
static bool run_batches(struct migration *m, const char *sql, const char *table)
{
    uint64_t end = end_of_ids(m->db, table), id = 1;
    bool ok = end > 0;

    while (ok && id < end) {
        ok = run_batch(m, db_prepare(m->db, sql), id);
        id += BATCH;
        if (ok && id >= end)
            ok = (end = end_of_ids(m->db, table)) > 0;
    }
    db_forget(db_prepare(m->db, sql));
    return ok;
}

static bool takes_away(const char *sql)
{
    return strstr(sql, "RENAME ") != NULL || strstr(sql, "DROP COLUMN ") != NULL ||
           strstr(sql, "DROP KEY ") != NULL;
}

/* Stopped between a file and its number, a file runs again: what it adds is there already then, and what it
 * renames or drops is gone. MySQL has neither ADD KEY IF NOT EXISTS nor RENAME, DROP COLUMN or DROP KEY IF
 * EXISTS. */
static bool run_statement(struct migration *m, const char *sql, const struct directions *d)
{
    if (d->batches[0] != '\0')
        return run_batches(m, sql, d->batches);
    return db_run(m->db, sql) || db_there_already(m->db) || (takes_away(sql) && db_gone_already(m->db));
}

/* Whether programs may be running that cannot live with it. An empty database has none; else these may be as
 * old as the schema allows, unless they are known to be younger. */
static bool has_to_wait(const struct migration *m, const struct directions *d)
{
    return m->reach == MIGRATE_AHEAD && m->at.applied > 0 && d->oldest > m->at.oldest &&
           d->oldest > m->running;
}

static bool run_file(struct migration *m, const struct file *file)
{
    const struct directions *d = &file->directions;

    if (d->oldest > m->at.oldest) {
        if (!set_number(m, SET_OLDEST, d->oldest))
            return false;
        m->at.oldest = d->oldest;
    }
    return run_statement(m, buf_text(&file->sql), d) && set_number(m, SET_APPLIED, file->number);
}

/* Up to one that has to wait: what comes after it waits, too. */
static bool apply_missing(struct migration *m, const struct migrations *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct file *file = &all->files[i];

        if (file->number <= m->at.applied)
            continue;
        if (has_to_wait(m, &file->directions)) {
            log_warn("migration_waits",
                     "msg=\"migration waits until older programs have ended\" file=%s oldest=%u", file->name,
                     file->directions.oldest);
            return true;
        }
        if (!run_file(m, file)) {
            log_error("migration_failed", "msg=\"migration failed\" file=%s", file->name);
            return false;
        }
        log_info("migration_applied", "msg=\"migration applied\" file=%s", file->name);
    }
    return true;
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
    log_error("migration_locked", "msg=\"another process holds the schema lease\"");
    return false;
}

static bool make_versions(struct db *db)
{
    if (!db_run(db, CREATE))
        return false;
    if (count_numbers(db) == 1 && !db_run(db, ADD_APPLIED) && !db_there_already(db))
        return false;
    return db_run(db, SEED);
}

static bool read_running(struct migration *m)
{
    struct stmt *st = db_prepare(m->db, KNOWS_RUNNING);

    m->running = 0;
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    if (col_u64(st, 0) == 0)
        return true;
    st = db_prepare(m->db, RUNNING);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    m->running = (unsigned)col_u64(st, 0);
    return true;
}

bool migrate_apply(struct db *db, const struct migrations *files, enum migrate_reach reach)
{
    struct migration m = { .db = db, .reach = reach, .owner = uuid_random() };
    struct stmt *st;
    bool ok;

    if (!make_versions(db) || !take_lease(db, &m.owner))
        return false;
    ok = read_versions(db, &m.at) && read_running(&m) && apply_missing(&m, files);
    st = db_prepare(db, RELEASE);
    bind_uuid(st, &m.owner);
    return db_exec(st) >= 0 && ok;
}
