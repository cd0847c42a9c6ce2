#include "store/migrate.h"

#include <dirent.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "codec/uuid.h"

#define BEFORE_FILE "before-1.0.sql"

enum {
    MAX_FILE = 256 * 1024,
    LEASE_SECONDS = 60,
    LEASE_TRIES = 120,
    BATCH = 1000,
    QUIET_SECONDS = 6, /* gateways beat every two */
};

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
static const char RUNNING[] =
    "SELECT COALESCE(MIN(programs), 0) FROM db_epochs WHERE at > UTC_TIMESTAMP(3) - INTERVAL 60 SECOND";
static const char VERSION[] = "SELECT version, version FROM schema_version WHERE one = 1";
static const char VERSIONS[] = "SELECT version, COALESCE(applied, version) FROM schema_version WHERE one = 1";
static const char SET_OLDEST[] = "UPDATE schema_version SET version = ? WHERE one = 1 AND lease_owner = ?";
static const char SET_APPLIED[] = "UPDATE schema_version SET applied = ? WHERE one = 1 AND lease_owner = ?";

/* Before 1.0.0: whether there is the table in which gateways beat, and the sum of the beats. */
static const char HAS_BEATS[] = "SELECT COUNT(*) FROM information_schema.tables"
                                " WHERE table_schema = DATABASE() AND table_name = 'pulses'";
static const char BEATS[] = "SELECT CAST(COALESCE(SUM(beats), 0) AS SIGNED) FROM pulses";
static const char OTHERS[] = "SELECT COUNT(*) FROM information_schema.processlist"
                             " WHERE db = DATABASE() AND id <> CONNECTION_ID()";

struct versions {
    unsigned oldest, applied;
};

struct file {
    unsigned number;
    char *name;
    struct buf sql;
    unsigned oldest; /* 0: its directive is missing */
};

struct migrations {
    struct migrations *before; /* those from before 1.0.0; NULL: their file is missing */
    size_t count;
    struct file files[]; /* by number */
};

struct statement {
    char *text;
    char batches[65]; /* a table, or "" */
};

struct migration {
    struct db *db;
    enum migrate_reach reach;
    struct uuid owner;
    struct versions at; /* `applied` as it was at the beginning */
    unsigned running;   /* the oldest programs that are known to run; 0: none are */
};

/* -1: the database failed. */
static int64_t number_of(struct db *db, const char *sql)
{
    struct stmt *st = db_prepare(db, sql);

    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}

static bool read_versions(struct db *db, struct versions *out)
{
    int64_t numbers = number_of(db, NUMBERS);
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

static const char *line_after(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

/* By the directive in the lines before its first statement. */
static unsigned read_oldest(const char *sql)
{
    unsigned oldest = 0;

    for (; strncmp(sql, "--", 2) == 0; sql = line_after(sql))
        if (strncmp(sql, "-- oldest ", 10) == 0)
            oldest = (unsigned)strtoul(sql + 10, NULL, 10);
    return oldest;
}

static bool file_read(struct file *out, const char *dir, const char *name)
{
    *out = (struct file){ SCHEMA_FIRST - 1 + file_number(name), strdup(name), BUF_INIT(MAX_FILE), 0 };
    if (out->name == NULL || !read_file(&out->sql, dir, name))
        return false;
    out->oldest = read_oldest(buf_text(&out->sql));
    return out->oldest > 0;
}

static int is_migration(const struct dirent *entry)
{
    return file_number(entry->d_name) > 0;
}

static struct migrations *migrations_new(size_t n)
{
    return calloc(1, sizeof(struct migrations) + n * sizeof(struct file));
}

/* From the line after "-- migration NAME" to the next of these. */
static bool section_read(struct file *out, const char *title, const char *end)
{
    const char *sql = line_after(title);
    char name[65] = "";

    (void)sscanf(title, "-- migration %64s", name);
    *out = (struct file){ file_number(name), strdup(name), BUF_INIT(MAX_FILE), 0 };
    buf_add(&out->sql, sql, (size_t)(end - sql));
    out->oldest = read_oldest(buf_text(&out->sql));
    return out->name != NULL && !out->sql.overflow && out->number > 0 && out->oldest > 0;
}

static const char *section_next(const char *s)
{
    const char *title = strstr(s, "\n-- migration ");

    return title != NULL ? title + 1 : NULL;
}

static struct migrations *sections_read(const char *text)
{
    struct migrations *all;
    const char *title, *next;
    size_t n = 0;
    bool ok;

    for (title = section_next(text); title != NULL; title = section_next(title))
        n++;
    all = migrations_new(n);
    ok = all != NULL;
    for (title = section_next(text); ok && title != NULL; title = next) {
        next = section_next(title);
        ok = section_read(&all->files[all->count++], title, next != NULL ? next : title + strlen(title));
    }
    if (ok)
        return all;
    migrations_free(all);
    return NULL;
}

static bool before_read(struct migrations *all, const char *sql_dir)
{
    struct buf text = BUF_INIT(MAX_FILE);
    struct buf path = BUF_INIT(4096);
    bool ok;

    buf_addf(&path, "%s/" BEFORE_FILE, sql_dir);
    ok = access(buf_text(&path), F_OK) != 0;
    if (!ok && read_file(&text, sql_dir, BEFORE_FILE)) {
        all->before = sections_read(buf_text(&text));
        ok = all->before != NULL;
    }
    buf_free(&path);
    buf_free(&text);
    return ok;
}

static void migration_unreadable(const char *name)
{
    log_error("migration_failed", "msg=\"the file cannot be read, or has no line -- oldest\" file=%s", name);
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
    all = migrations_new((size_t)n);
    ok = all != NULL;
    for (int i = 0; i < n; i++) {
        if (ok) {
            ok = file_read(&all->files[all->count++], sql_dir, entries[i]->d_name);
            if (!ok)
                migration_unreadable(entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    if (ok && !before_read(all, sql_dir)) {
        migration_unreadable(BEFORE_FILE);
        ok = false;
    }
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
    migrations_free(files->before);
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

/* The next one at *sql, which moves on behind it; false: there is none. The caller frees its text. */
static bool statement_next(struct statement *out, const char **sql)
{
    const char *end;

    *out = (struct statement){ NULL, "" };
    for (; **sql == '\n' || strncmp(*sql, "--", 2) == 0; *sql = line_after(*sql))
        (void)sscanf(*sql, "-- batches %64[a-z_]", out->batches);
    if (**sql == '\0')
        return false;
    end = strstr(*sql, ";\n");
    if (end == NULL)
        end = *sql + strlen(*sql);
    out->text = strndup(*sql, (size_t)(end - *sql));
    *sql = *end == '\0' ? end : end + 2;
    return true;
}

/* Stopped between a statement and the file's number, it runs again: what it adds is there already then, and
 * what it renames or drops is gone. MySQL has neither ADD KEY IF NOT EXISTS nor RENAME, DROP COLUMN or DROP
 * KEY IF EXISTS. */
static bool run_statement(struct migration *m, const struct statement *s)
{
    if (s->text == NULL)
        return false;
    if (s->batches[0] != '\0')
        return run_batches(m, s->text, s->batches);
    return db_run(m->db, s->text) || db_there_already(m->db) ||
           (takes_away(s->text) && db_gone_already(m->db));
}

static bool run_statements(struct migration *m, const char *sql)
{
    struct statement s;
    bool ok = true;

    while (ok && statement_next(&s, &sql)) {
        ok = run_statement(m, &s);
        free(s.text);
    }
    return ok;
}

/* Whether programs may be running that cannot live with it. An empty database has none; else these may be as
 * old as the schema allows, unless they are known to be younger. */
static bool has_to_wait(const struct migration *m, const struct file *file)
{
    return m->reach == MIGRATE_AHEAD && m->at.applied > 0 && file->oldest > m->at.oldest &&
           file->oldest > m->running;
}

static bool run_file(struct migration *m, const struct file *file)
{
    if (file->oldest > m->at.oldest) {
        if (!set_number(m, SET_OLDEST, file->oldest))
            return false;
        m->at.oldest = file->oldest;
    }
    return set_number(m, KEEP_LEASE, LEASE_SECONDS) && run_statements(m, buf_text(&file->sql)) &&
           set_number(m, SET_APPLIED, file->number);
}

/* Up to one that has to wait: what comes after it waits, too. */
static bool apply_missing(struct migration *m, const struct migrations *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct file *file = &all->files[i];

        if (file->number <= m->at.applied)
            continue;
        if (has_to_wait(m, file)) {
            log_warn("migration_waits",
                     "msg=\"migration waits until older programs have ended\" file=%s oldest=%u", file->name,
                     file->oldest);
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
    if (number_of(db, NUMBERS) == 1 && !db_run(db, ADD_APPLIED) && !db_there_already(db))
        return false;
    return db_run(db, SEED);
}

static bool read_running(struct migration *m)
{
    int64_t oldest = m->at.applied < SCHEMA_FIRST ? 0 : number_of(m->db, RUNNING);

    m->running = (unsigned)(oldest > 0 ? oldest : 0);
    return oldest >= 0;
}

/* ---- From before 1.0.0 ---- */

static int64_t sum_of_beats(struct db *db)
{
    int64_t has = number_of(db, HAS_BEATS);

    return has > 0 ? number_of(db, BEATS) : has;
}

/* Whether gateways of before 1.0.0 beat, on any host; -1: the database failed. */
static int are_beating(struct db *db)
{
    int64_t before = sum_of_beats(db), after;

    (void)sleep(QUIET_SECONDS);
    after = sum_of_beats(db);
    return before < 0 || after < 0 ? -1 : after != before;
}

/* Connections of other programs. The server may take a moment to end that of an interrupted run. */
static int64_t count_others(struct db *db)
{
    int64_t others = number_of(db, OTHERS);

    for (int i = 0; i < 10 * QUIET_SECONDS && others > 0; i++) {
        usleep(100 * 1000);
        others = number_of(db, OTHERS);
    }
    return others;
}

static bool is_used(int beating, int64_t others)
{
    if (beating == 0 && others == 0)
        return false;
    if (beating >= 0 && others >= 0)
        log_error("schema_in_use",
                  "msg=\"the database is used: end the service on all hosts, then run schema-migrate again\""
                  " gateways=%s connections=%lld",
                  beating ? "yes" : "no", (long long)others);
    return true;
}

/* Programs of before refuse the database once `oldest` is set, so that only those that run already are to be
 * looked for, then and again afterwards. */
static bool take_over_begin(struct migration *m)
{
    unsigned oldest = m->at.oldest;
    int beating = oldest < SCHEMA_FIRST ? are_beating(m->db) : 0;

    if (is_used(beating, count_others(m->db)))
        return false;
    if (oldest >= SCHEMA_FIRST) /* it was interrupted */
        return true;
    if (!set_number(m, SET_OLDEST, SCHEMA_FIRST))
        return false;
    m->at.oldest = SCHEMA_FIRST;
    if (!is_used(0, number_of(m->db, OTHERS)))
        return true;
    (void)set_number(m, SET_OLDEST, oldest);
    return false;
}

static bool take_over(struct migration *m, const struct migrations *before)
{
    int64_t began = clock_mono_ms();

    if (before == NULL) {
        log_error("migration_failed", "msg=\"there is no such file\" file=" BEFORE_FILE);
        return false;
    }
    log_info(
        "schema_takeover",
        "msg=\"a database from before 1.0.0 is taken over: some ten seconds, and a minute for each million"
        " swaps of a schema before 74\" schema=%u",
        m->at.applied);
    if (!take_over_begin(m) || !apply_missing(m, before) || !set_number(m, SET_APPLIED, SCHEMA_FIRST))
        return false;
    m->at.applied = SCHEMA_FIRST;
    log_info("schema_taken_over", "msg=\"the database is one of 1.0.0 now\" took_ms=%lld",
             (long long)(clock_mono_ms() - began));
    return true;
}

/* What of the database has to be done before files of 1.0.0 and later apply. */
static bool apply_all(struct migration *m, const struct migrations *files)
{
    if (m->at.applied > 0 && m->at.applied < SCHEMA_FIRST) {
        if (m->reach == MIGRATE_AHEAD) {
            log_warn("migration_waits",
                     "msg=\"the database is from before 1.0.0: end the service on all hosts, then run"
                     " schema-migrate\" file=" BEFORE_FILE " oldest=%d",
                     SCHEMA_FIRST);
            return true;
        }
        if (!take_over(m, files->before))
            return false;
    }
    return read_running(m) && apply_missing(m, files);
}

bool migrate_apply(struct db *db, const struct migrations *files, enum migrate_reach reach)
{
    struct migration m = { .db = db, .reach = reach, .owner = uuid_random() };
    struct stmt *st;
    bool ok;

    if (!make_versions(db) || !take_lease(db, &m.owner))
        return false;
    ok = read_versions(db, &m.at) && apply_all(&m, files);
    st = db_prepare(db, RELEASE);
    bind_uuid(st, &m.owner);
    return db_exec(st) >= 0 && ok;
}
