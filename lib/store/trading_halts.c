#include "store/trading_halts.h"

#include "store/columns.h"

#define WHERE_STOPPED "SELECT COALESCE(MAX(halts), 0) FROM trading_halts WHERE agent_id IN (0, ?)"

static const char CHECK[] = WHERE_STOPPED;
static const char RESTORED[] = "SELECT halts & ? FROM trading_halts WHERE agent_id = 0";
static const char HOLD[] = WHERE_STOPPED " LOCK IN SHARE MODE";
/* A halt of any agent locks the row of HALT_ALL first: every transaction that checks halts has locked it. */
static const char BARRIER[] = "UPDATE trading_halts SET changed_at = UTC_TIMESTAMP(3) WHERE agent_id = 0";
/* Other nodes of a cluster do not know of locks. There, a transaction that checks halts writes the row of its
 * lane, and a stop writes all rows; of two that write one row at once, one is run again. */
static const char LANE[] = "UPDATE trading_shards SET writes = writes + 1 WHERE shard = ? % 64";
static const char LANES[] = "UPDATE trading_shards SET writes = writes + 1";
static const char STOP[] = "INSERT INTO trading_halts (agent_id, halts, changed_at)"
                           " VALUES (?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE"
                           " halts = halts | VALUES(halts), changed_at = VALUES(changed_at)";
static const char RESUME[] = "UPDATE trading_halts SET halts = halts & ~?, changed_at = UTC_TIMESTAMP(3)"
                             " WHERE agent_id = ?";
/* A copy: who looks a key up reads one row. */
static const char BAN[] = "UPDATE agents SET banned = ? WHERE id = ?";

static const char LIST[] =
    "SELECT t.agent_id, a.uuid, a.name, t.halts, t.changed_at FROM trading_halts t"
    " LEFT JOIN agents a ON a.id = t.agent_id WHERE t.halts <> 0 AND (t.agent_id = 0 OR a.id IS NOT NULL)"
    " ORDER BY t.agent_id";
static const char COUNT[] =
    "SELECT SUM(agent_id = 0 AND halts <> 0), SUM(agent_id = 0 AND (halts & ?) <> 0),"
    " SUM(agent_id <> 0 AND (halts & ?) <> 0), SUM(agent_id <> 0 AND (halts & ?) <> 0)"
    " FROM trading_halts";

static enum lookup halt_found(struct db *db, const char *sql, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return LOOKUP_ERROR;
    return col_u64(st, 0) != 0 ? LOOKUP_FOUND : LOOKUP_NONE;
}

enum lookup trading_halts_check(struct db *db, uint64_t agent_id)
{
    return halt_found(db, CHECK, agent_id);
}

enum lookup trading_halts_restored(struct db *db)
{
    return halt_found(db, RESTORED, HALT_RESTORED);
}

bool trading_halts_pass(struct db *db, uint64_t agent_id)
{
    struct stmt *st;

    if (!db_in_cluster(db))
        return true;
    st = db_prepare(db, LANE);
    bind_u64(st, agent_id);
    return db_exec(st) == 1;
}

enum lookup trading_halts_hold(struct db *db, uint64_t agent_id)
{
    enum lookup held = halt_found(db, HOLD, agent_id);

    return held == LOOKUP_NONE && !trading_halts_pass(db, agent_id) ? LOOKUP_ERROR : held;
}

struct set_job {
    uint64_t agent_id;
    enum halt_kind kind;
    bool stop;
};

static int64_t write_stop(struct db *db, const struct set_job *job)
{
    struct stmt *st = db_prepare(db, job->stop ? STOP : RESUME);

    bind_u64(st, job->stop ? job->agent_id : job->kind);
    bind_u64(st, job->stop ? job->kind : job->agent_id);
    return db_exec(st);
}

static int64_t write_ban(struct db *db, const struct set_job *job)
{
    struct stmt *st = db_prepare(db, BAN);

    bind_u64(st, job->stop);
    bind_u64(st, job->agent_id);
    return db_exec(st);
}

static enum tx_verdict set_tx(struct db *db, void *arg)
{
    const struct set_job *job = arg;

    return db_exec(db_prepare(db, BARRIER)) == 1 && db_exec(db_prepare(db, LANES)) >= 0 &&
                   write_stop(db, job) >= 0 && (job->kind != HALT_ACCESS || write_ban(db, job) >= 0)
               ? TX_COMMIT
               : TX_FAILED;
}

bool trading_halts_set(struct db *db, uint64_t agent_id, enum halt_kind kind, bool stop)
{
    struct set_job job = { agent_id, kind, stop };
    enum tx_result result = db_transact(db, set_tx, &job);

    /* The connection died during COMMIT: what was asked for may as well be asked for again. */
    return result == TX_DONE || (result == TX_UNKNOWN && db_transact(db, set_tx, &job) == TX_DONE);
}

struct guarded_job {
    uint64_t agent_id;
    tx_fn *fn;
    void *arg;
    bool stopped; /* set anew by each run */
};

static enum tx_verdict guarded_tx(struct db *db, void *arg)
{
    struct guarded_job *job = arg;
    enum lookup held = trading_halts_hold(db, job->agent_id);

    job->stopped = held == LOOKUP_FOUND;
    if (held != LOOKUP_NONE)
        return held == LOOKUP_ERROR ? TX_FAILED : TX_ROLLBACK;
    return job->fn(db, job->arg);
}

enum db_update trading_halts_transact(struct db *db, uint64_t agent_id, tx_fn *fn, void *arg)
{
    struct guarded_job job = { agent_id, fn, arg, false };
    enum db_update outcome = db_outcome(db_transact(db, guarded_tx, &job));

    return outcome == UNCHANGED && job.stopped ? HALTED : outcome;
}

bool trading_halts_count(struct db *db, struct active_halts *out)
{
    struct stmt *st = db_prepare(db, COUNT);

    bind_u64(st, HALT_RESTORED);
    bind_u64(st, HALT_TRADING);
    bind_u64(st, HALT_ACCESS);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *out = (struct active_halts){ col_u64(st, 0) != 0, col_u64(st, 1) != 0, col_u64(st, 2), col_u64(st, 3) };
    return true;
}

int trading_halts_list(struct db *db, struct arena *a, struct trading_halt **out)
{
    struct stmt *st = db_prepare(db, LIST);
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct trading_halt *t;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        t = &(*out)[n++];
        *t = (struct trading_halt){ .agent_id = col_u64(st, 0), .name = col_text(st, 2, a) };
        (void)col_maybe_uuid(st, 1, &t->agent);
        t->kinds = (unsigned)col_u64(st, 3);
        t->since_ms = col_ms(st, 4);
    }
    return n;
}

bool trading_halts_name(const struct trading_halt *list, int n, uint64_t agent_id)
{
    for (int i = 0; i < n; i++)
        if (list[i].agent_id == agent_id || list[i].agent_id == HALT_ALL)
            return true;
    return false;
}
