#include "store/series_counts.h"

enum { PURGED_AT_ONCE = 500, MINUTE_S = 60, HOUR_S = 3600 };

static const char KNOW[] =
    "INSERT IGNORE INTO series_sources (source, folds, at) VALUES (?, 0, UTC_TIMESTAMP(3))";
static const char HOLD[] = "SELECT folds, UNIX_TIMESTAMP() FROM series_sources WHERE source = ? FOR UPDATE";
static const char HELD[] =
    "UPDATE series_sources SET folds = folds + 1, at = UTC_TIMESTAMP(3) WHERE source = ?";
static const char MARKS[] = "SELECT metric, chain_id, place, seen FROM series_marks WHERE source = ?";
static const char MARK[] = "INSERT INTO series_marks (source, metric, chain_id, place, seen)"
                           " VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE seen = VALUES(seen)";
#define ADD_TO(table)                                                                                        \
    "INSERT INTO " table " (metric, slot, chain_id, place, n) VALUES (?, ?, ?, ?, ?)"                        \
    " ON DUPLICATE KEY UPDATE n = n + VALUES(n)"
static const char ADD_MINUTE[] = ADD_TO("series_minutes");
static const char ADD_HOUR[] = ADD_TO("series_hours");

#define PURGE(table) "DELETE FROM " table " WHERE metric = ? AND slot < UNIX_TIMESTAMP() DIV ? - ? LIMIT ?"
static const char PURGE_MINUTES[] = PURGE("series_minutes");
static const char PURGE_HOURS[] = PURGE("series_hours");
static const char FORGOTTEN[] =
    "SELECT source FROM series_sources WHERE at < UTC_TIMESTAMP(3) - INTERVAL 60 DAY ORDER BY at LIMIT 1";
static const char FORGET_MARKS[] = "DELETE FROM series_marks WHERE source = ?";
static const char FORGET[] = "DELETE FROM series_sources WHERE source = ?";

#define READ_FROM(table)                                                                                     \
    "SELECT CAST((slot - ?) DIV ? AS UNSIGNED) AS point, chain_id, place, CAST(SUM(n) AS UNSIGNED)"          \
    " FROM " table " WHERE metric = ? AND slot >= ? AND slot < ?"                                            \
    " GROUP BY point, chain_id, place ORDER BY point, chain_id, place"
static const char READ_MINUTES[] = READ_FROM("series_minutes");
static const char READ_HOURS[] = READ_FROM("series_hours");

/* ---- adding ---- */

struct fold {
    uint64_t source;
    const struct series_count *now;
    unsigned n;
    struct arena *arena;
    uint64_t seconds; /* since 1970, by the database */
    bool known;       /* something of the source was added before */
    uint64_t *seen;   /* by the places of `now` */
};

static enum lookup source_hold(struct db *db, struct fold *f)
{
    struct stmt *st = db_prepare(db, HOLD);
    enum lookup found;

    bind_u64(st, f->source);
    found = db_one(st);
    if (found == LOOKUP_FOUND) {
        f->known = col_u64(st, 0) > 0;
        f->seconds = col_u64(st, 1);
    }
    return found;
}

static enum lookup source_know(struct db *db, struct fold *f)
{
    struct stmt *st = db_prepare(db, KNOW);

    bind_u64(st, f->source);
    return db_exec(st) < 0 ? LOOKUP_ERROR : source_hold(db, f);
}

static void mark_take(struct fold *f, const struct series_count *mark)
{
    for (unsigned i = 0; i < f->n; i++)
        if (f->now[i].metric == mark->metric && f->now[i].chain_id == mark->chain_id &&
            f->now[i].place == mark->place)
            f->seen[i] = mark->n;
}

static bool marks_read(struct db *db, struct fold *f)
{
    struct stmt *st = db_prepare(db, MARKS);

    f->seen = ARENA_ARRAY(f->arena, uint64_t, f->n);
    memset(f->seen, 0, f->n * sizeof *f->seen);
    bind_u64(st, f->source);
    if (!db_query(st))
        return false;
    while (db_next(st))
        mark_take(f, &(struct series_count){ (enum series_metric)col_u64(st, 0), col_u64(st, 1),
                                             (unsigned)col_u64(st, 2), col_u64(st, 3) });
    return true;
}

static bool mark_set(struct db *db, const struct fold *f, const struct series_count *c)
{
    struct stmt *st = db_prepare(db, MARK);

    bind_u64(st, f->source);
    bind_u64(st, c->metric);
    bind_u64(st, c->chain_id);
    bind_u64(st, c->place);
    bind_u64(st, c->n);
    return db_exec(st) >= 0;
}

static bool slot_add(struct db *db, const char *sql, uint64_t slot, const struct series_count *c, uint64_t n)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, c->metric);
    bind_u64(st, slot);
    bind_u64(st, c->chain_id);
    bind_u64(st, c->place);
    bind_u64(st, n);
    return db_exec(st) >= 0;
}

/* Adds the growth of the counter. One that was read before another process added it may be behind. */
static bool count_add(struct db *db, const struct fold *f, unsigned i)
{
    const struct series_count *c = &f->now[i];
    uint64_t more = c->n > f->seen[i] ? c->n - f->seen[i] : 0;

    if (more == 0)
        return true;
    if (!mark_set(db, f, c))
        return false;
    return !f->known || (slot_add(db, ADD_MINUTE, f->seconds / MINUTE_S, c, more) &&
                         slot_add(db, ADD_HOUR, f->seconds / HOUR_S, c, more));
}

static bool has_grown(const struct fold *f)
{
    for (unsigned i = 0; i < f->n; i++)
        if (f->now[i].n > f->seen[i])
            return true;
    return false;
}

static enum tx_verdict fold_tx(struct db *db, void *arg)
{
    struct fold *f = arg;
    enum lookup held = source_hold(db, f);
    struct stmt *st;

    if (held == LOOKUP_NONE)
        held = source_know(db, f);
    if (held != LOOKUP_FOUND || !marks_read(db, f))
        return TX_FAILED;
    if (f->known && !has_grown(f))
        return TX_ROLLBACK;
    for (unsigned i = 0; i < f->n; i++)
        if (!count_add(db, f, i))
            return TX_FAILED;
    st = db_prepare(db, HELD);
    bind_u64(st, f->source);
    return db_exec(st) == 1 ? TX_COMMIT : TX_FAILED;
}

bool series_add(struct db *db, uint64_t source, const struct series_count *now, unsigned n)
{
    struct fold f = { .source = source, .now = now, .n = n, .arena = arena_new() };
    enum tx_result result = db_transact(db, fold_tx, &f);

    arena_free(f.arena);
    return result == TX_DONE || result == TX_REFUSED;
}

/* ---- removing ---- */

static bool purge_metric(struct db *db, const char *sql, uint64_t metric, uint64_t seconds, uint64_t kept)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, metric);
    bind_u64(st, seconds);
    bind_u64(st, kept);
    bind_u64(st, PURGED_AT_ONCE);
    return db_exec(st) >= 0;
}

static bool forget(struct db *db, const char *sql, uint64_t source)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, source);
    return db_exec(st) >= 0;
}

bool series_purge(struct db *db)
{
    for (uint64_t metric = SERIES_ACCEPTED; metric < SERIES_METRICS; metric++)
        if (!purge_metric(db, PURGE_MINUTES, metric, MINUTE_S, SERIES_MINUTES_KEPT) ||
            !purge_metric(db, PURGE_HOURS, metric, HOUR_S, SERIES_HOURS_KEPT))
            return false;
    /* Purges a source of a host that is gone, or has begun a new file. */
    struct stmt *st = db_prepare(db, FORGOTTEN);
    enum lookup found = db_one(st);
    uint64_t source = found == LOOKUP_FOUND ? col_u64(st, 0) : 0;

    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE;
    return forget(db, FORGET_MARKS, source) && forget(db, FORGET, source);
}

/* ---- reading ---- */

int series_read(struct db *db, struct arena *a, const struct series_asked *asked, struct series_sum **out)
{
    struct stmt *st = db_prepare(db, asked->grain == SERIES_MINUTES ? READ_MINUTES : READ_HOURS);
    int n = 0;

    *out = NULL;
    bind_u64(st, asked->from);
    bind_u64(st, asked->step);
    bind_u64(st, asked->metric);
    bind_u64(st, asked->from);
    bind_u64(st, asked->until);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] =
            (struct series_sum){ col_u64(st, 0), col_u64(st, 1), (unsigned)col_u64(st, 2), col_u64(st, 3) };
    }
    return n;
}
