#include "store/execution_marks.h"

#include "base/arena.h"
#include "store/states.h"

enum {
    EVERY = 16,           /* a deep page reads up to 15 unneeded rows */
    WORTH = 100,          /* swaps; below, every page is near the front */
    AT_ONCE = 64 * EVERY, /* the agent is locked meanwhile */
};

#define TOTAL "(a.swaps_pending + a.swaps_submitted + a.swaps_completed + a.swaps_failed)"
/* The first mark that counts at least as many as stand behind the offset. */
#define FIND(index, n, total)                                                                                \
    "SELECT m.upto_id, m." n " + ? - " total " FROM agents a JOIN execution_marks m FORCE INDEX (" index     \
    ") ON m.agent_id = a.id WHERE a.id = ? AND m." n " >= " total                                            \
    " - ? AND m.upto_id <= a.swaps_marked_upto ORDER BY m." n ", m.upto_id LIMIT 1"
static const char *const finds[] = {
    FIND("of_all", "n", TOTAL),
    [EXEC_PENDING] = FIND("of_pending", "n_pending", "a.swaps_pending"),
    [EXEC_SUBMITTED] = FIND("of_submitted", "n_submitted", "a.swaps_submitted"),
    [EXEC_COMPLETED] = FIND("of_completed", "n_completed", "a.swaps_completed"),
    [EXEC_FAILED] = FIND("of_failed", "n_failed", "a.swaps_failed"),
};

#define STAYS(e)                                                                                             \
    "(" e ".listed IN (" SQL_COMPLETED ", " SQL_FAILED ") OR " e                                             \
    ".created_at < UTC_TIMESTAMP(3) - INTERVAL 10 MINUTE)"
static const char BEGIN[] = "INSERT IGNORE INTO execution_marks_made (id, upto_id) VALUES (1, 0)";
static const char MADE[] = "SELECT upto_id FROM execution_marks_made WHERE id = 1";
static const char NEXT[] =
    "SELECT e.id, e.agent_id, " STAYS("e") ", " TOTAL " FROM (SELECT id FROM executions WHERE id > ?"
                                           " ORDER BY id LIMIT ?) i JOIN executions e ON e.id = i.id"
                                           " LEFT JOIN agents a ON a.id = e.agent_id ORDER BY e.id";
static const char PASS[] = "UPDATE execution_marks_made SET upto_id = GREATEST(upto_id, ?) WHERE id = 1";

static const char LOCK[] = "SELECT swaps_marked_upto FROM agents WHERE id = ? FOR UPDATE";
static const char FORGET[] = "DELETE FROM execution_marks WHERE agent_id = ? AND upto_id > ? LIMIT ?";
static const char LAST[] =
    "SELECT upto_id, n, n_pending, n_submitted, n_completed, n_failed FROM execution_marks"
    " WHERE agent_id = ? ORDER BY upto_id DESC LIMIT 1";
static const char UNMARKED[] = "SELECT e.id, e.listed, " STAYS(
    "e") " FROM executions e FORCE INDEX (agent_page)"
         " WHERE e.agent_id = ? AND e.in_swaps = 1 AND e.id > ? ORDER BY e.id LIMIT ?";
static const char ADD[] =
    "INSERT INTO execution_marks (agent_id, upto_id, n, n_pending, n_submitted, n_completed, n_failed)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
static const char MARKED[] = "UPDATE agents SET swaps_marked_upto = ? WHERE id = ?";

enum lookup execution_marks_find(struct db *db, uint64_t agent_id, enum exec_status listed, uint64_t offset,
                                 struct mark *out)
{
    struct stmt *st = db_prepare(db, finds[listed]);
    enum lookup found;

    bind_i64(st, (int64_t)offset);
    bind_u64(st, agent_id);
    bind_i64(st, (int64_t)offset);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = (struct mark){ col_u64(st, 0), col_u64(st, 1) };
    return found;
}

/* ---- one agent's marks ---- */

/* The counts of the agent's swaps up to one of them. */
struct tally {
    uint64_t upto_id;
    uint64_t n[EXEC_FAILED + 1]; /* by listed status; [0] in all */
};

struct marking {
    uint64_t agent_id;
    bool more; /* set anew by each run: it was not all */
};

static bool read_last(struct db *db, uint64_t agent_id, struct tally *out)
{
    static const enum exec_status order[] = { 0, EXEC_PENDING, EXEC_SUBMITTED, EXEC_COMPLETED, EXEC_FAILED };
    struct stmt *st = db_prepare(db, LAST);
    enum lookup found;

    *out = (struct tally){ .upto_id = 0 };
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE;
    out->upto_id = col_u64(st, 0);
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        out->n[order[i]] = col_u64(st, 1 + i);
    return true;
}

static bool mark_add(struct db *db, uint64_t agent_id, const struct tally *t)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, agent_id);
    bind_u64(st, t->upto_id);
    bind_u64(st, t->n[0]);
    bind_u64(st, t->n[EXEC_PENDING]);
    bind_u64(st, t->n[EXEC_SUBMITTED]);
    bind_u64(st, t->n[EXEC_COMPLETED]);
    bind_u64(st, t->n[EXEC_FAILED]);
    return db_exec(st) == 1;
}

/* Continues from `t`; *marked is the last mark that was added, if any. */
static bool marks_add(struct db *db, struct marking *m, struct tally *t, uint64_t *marked)
{
    struct stmt *st = db_prepare(db, UNMARKED);
    unsigned read = 0;

    bind_u64(st, m->agent_id);
    bind_u64(st, t->upto_id);
    bind_u64(st, AT_ONCE);
    if (!db_query(st))
        return false;
    for (; db_next(st) && col_u64(st, 2) != 0; read++) {
        t->upto_id = col_u64(st, 0);
        t->n[col_u64(st, 1)]++;
        if (++t->n[0] % EVERY != 0)
            continue;
        if (!mark_add(db, m->agent_id, t))
            return false;
        *marked = t->upto_id;
    }
    m->more = read == AT_ONCE;
    return true;
}

static bool agent_set_marked(struct db *db, uint64_t agent_id, uint64_t upto)
{
    struct stmt *st = db_prepare(db, MARKED);

    bind_u64(st, upto);
    bind_u64(st, agent_id);
    return db_exec(st) >= 0;
}

/* Those that are out of date go first; of very many some at a time. */
static int64_t marks_forget(struct db *db, uint64_t agent_id, uint64_t valid)
{
    struct stmt *st = db_prepare(db, FORGET);

    bind_u64(st, agent_id);
    bind_u64(st, valid);
    bind_u64(st, AT_ONCE);
    return db_exec(st);
}

static enum tx_verdict agent_mark_tx(struct db *db, void *arg)
{
    struct marking *m = arg;
    struct stmt *st = db_prepare(db, LOCK);
    struct tally t;
    uint64_t marked = 0;
    int64_t forgotten;
    enum lookup found;

    m->more = false;
    bind_u64(st, m->agent_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE ? TX_ROLLBACK : TX_FAILED;
    forgotten = marks_forget(db, m->agent_id, col_u64(st, 0));
    m->more = forgotten == AT_ONCE;
    if (forgotten < 0 || m->more)
        return m->more ? TX_COMMIT : TX_FAILED;
    if (!read_last(db, m->agent_id, &t) || !marks_add(db, m, &t, &marked))
        return TX_FAILED;
    return marked == 0 || agent_set_marked(db, m->agent_id, marked) ? TX_COMMIT : TX_FAILED;
}

/* ---- all that are new ---- */

static bool read_made(struct db *db, uint64_t *upto)
{
    struct stmt *st = db_prepare(db, BEGIN);

    if (db_exec(st) < 0)
        return false;
    st = db_prepare(db, MADE);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *upto = col_u64(st, 0);
    return true;
}

static size_t agents_add(uint64_t *agents, size_t n, uint64_t agent_id)
{
    for (size_t i = 0; i < n; i++)
        if (agents[i] == agent_id)
            return n;
    agents[n] = agent_id;
    return n + 1;
}

/* The agents with a long history among the owners of the executions behind *upto, as far as these stay as
 * they are. How many executions, or -1. */
static int64_t read_next(struct db *db, unsigned max, uint64_t *upto, uint64_t *agents, size_t *count)
{
    struct stmt *st = db_prepare(db, NEXT);
    int64_t n = 0;

    bind_u64(st, *upto);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    for (; db_next(st) && col_u64(st, 2) != 0; n++) {
        *upto = col_u64(st, 0);
        if (col_u64(st, 3) >= WORTH)
            *count = agents_add(agents, *count, col_u64(st, 1));
    }
    return n;
}

static bool made_pass(struct db *db, uint64_t upto)
{
    struct stmt *st = db_prepare(db, PASS);

    bind_u64(st, upto);
    return db_exec(st) >= 0;
}

int64_t execution_marks_make(struct db *db, unsigned max)
{
    struct arena *a = arena_new();
    uint64_t *agents = ARENA_ARRAY(a, uint64_t, max + 1), upto;
    size_t count = 0;
    int64_t n = read_made(db, &upto) ? read_next(db, max, &upto, agents, &count) : -1;
    bool ok = n >= 0, more = false;

    for (size_t i = 0; i < count && ok; i++) {
        struct marking m = { .agent_id = agents[i] };

        ok = db_outcome(db_transact(db, agent_mark_tx, &m)) != DB_ERROR;
        more |= m.more;
    }
    arena_free(a);
    if (ok && !more)
        ok = made_pass(db, upto);
    return !ok ? -1 : more ? (int64_t)max : n;
}
