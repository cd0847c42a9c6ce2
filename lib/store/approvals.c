#include "store/approvals.h"

#include "store/columns.h"
#include "store/list_filter.h"
#include "store/states.h"

#define IN_TIME "expires_at > UTC_TIMESTAMP(3)"

enum { LIST_MAX = 1000 };

/* Columns of approval `ap`, from column `i` of `st` on. */
#define APPROVAL(FIRST, NEXT)                                                                                \
    FIRST("p.id", ap->id = col_uuid(st, i))                                                                  \
    NEXT("p.agent_id", ap->agent_id = col_u64(st, i))                                                        \
    NEXT("p.execution_id", ap->execution_id = col_u64(st, i))                                                \
    NEXT("e.kind", ap->kind = (enum exec_kind_id)col_u64(st, i))                                             \
    NEXT("p.state", ap->state = (enum approval_state)col_u64(st, i))                                         \
    NEXT("p.expires_at <= UTC_TIMESTAMP(3)", ap->expired = col_u64(st, i) != 0)                              \
    NEXT("p.slippage_ppm", ap->slippage.value = (uint32_t)col_u64(st, i))                                    \
    NEXT("p.why", ap->why = col_text(st, i, a))                                                              \
    NEXT("p.created_at", ap->created_ms = col_ms(st, i))                                                     \
    NEXT("p.expires_at", ap->expires_ms = col_ms(st, i))                                                     \
    NEXT("p.decided_at", ap->decided_ms = col_ms(st, i))

static const char ADD[] =
    "INSERT INTO approvals (id, agent_id, execution_id, state, slippage_ppm, why, created_at, expires_at)"
    " SELECT approval_id, agent_id, id, " SQL_APPROVAL_WAITING
    ", ?, ?, created_at, approval_expires_at FROM executions WHERE id = ?";
#define COLUMNS       "SELECT " APPROVAL(FIRST_NAME, NEXT_NAME) " FROM "
#define ITS_EXECUTION " JOIN executions e ON e.id = p.execution_id"
#define SELECT        COLUMNS "approvals p" ITS_EXECUTION
static const char GET[] = SELECT " WHERE p.id = ? AND (? = 0 OR p.agent_id = ?)";
static const char OF_EXECUTION[] = SELECT " WHERE p.execution_id = ? FOR UPDATE";
static const char WAITING[] =
    SELECT " WHERE p.state = " SQL_APPROVAL_WAITING " AND p." IN_TIME " ORDER BY p.created_at, p.id LIMIT ?";
static const char OPEN[] = SELECT " WHERE p.state IN (" SQL_APPROVAL_WAITING ", " SQL_APPROVAL_GRANTED
                                  ") AND p." IN_TIME " ORDER BY p.created_at, p.id LIMIT ?";
/* Skipped rows are read from the index only. */
#define PAGE_OF(index, where)                                                                                \
    COLUMNS                                                                                                  \
    "(SELECT id FROM approvals FORCE INDEX (" index ") WHERE " where                                         \
    " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) i JOIN approvals p ON p.id = i.id" ITS_EXECUTION   \
    " ORDER BY p.created_at DESC, p.id DESC"
static const char PAGE[] = PAGE_OF("agent_page", "agent_id = ?");
static const char PAGE_IN[] = PAGE_OF("agent_state_page", "agent_id = ? AND state = ?");
/* By the execution's chain, token and time: the agent's rows are read. */
#define OF_FILTER " WHERE p.agent_id = ? AND (? = 0 OR p.state = ?)" SQL_LIST_FILTER
static const char FILTERED[] = SELECT OF_FILTER " ORDER BY p.created_at DESC, p.id DESC LIMIT ? OFFSET ?";
static const char FILTERED_TOTAL[] = "SELECT COUNT(*) FROM approvals p" ITS_EXECUTION OF_FILTER;
static const char TERMS[] = "SELECT terms FROM approvals WHERE id = ? AND agent_id = ?";
static const char KEEP_TERMS[] =
    "UPDATE approvals SET terms = ? WHERE id = ? AND agent_id = ? AND terms IS NULL";
static const char COUNT[] =
    "SELECT COUNT(*) FROM approvals WHERE agent_id = ? AND state = " SQL_APPROVAL_WAITING " AND " IN_TIME;
static const char TOTAL[] = "SELECT CAST(COALESCE(SUM(n), 0) AS UNSIGNED) FROM approval_totals"
                            " WHERE agent_id = ? AND (? = 0 OR state = ?)";
static const char COUNT_ONE[] = "INSERT INTO approval_totals (agent_id, state, n) VALUES (?, ?, ?)"
                                " ON DUPLICATE KEY UPDATE n = n + VALUES(n)";
static const char EXPIRES[] = "SELECT expires_at FROM approvals WHERE id = ?";
/* A denial is in time always, a lapse is when all others are not. */
static const char MOVE[] = "UPDATE approvals SET state = ?, decided_at = IF(? IN (" SQL_APPROVAL_GRANTED
                           ", " SQL_APPROVAL_DENIED "), UTC_TIMESTAMP(3), decided_at)"
                           " WHERE id = ? AND state = ? AND (? = " SQL_APPROVAL_DENIED " OR (" IN_TIME
                           ") = (? <> " SQL_APPROVAL_LAPSED "))";

static void read_approval(struct stmt *st, struct arena *a, struct approval *ap)
{
    unsigned i = 0;

    *ap = (struct approval){ .agent_id = 0 };
    APPROVAL(READ_FIRST, READ_NEXT)
}

static enum lookup approval_one(struct stmt *st, struct arena *a, struct approval *out)
{
    enum lookup found = db_one(st);

    if (found == LOOKUP_FOUND)
        read_approval(st, a, out);
    return found;
}

enum lookup approvals_terms(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                            const char **out)
{
    struct stmt *st = db_prepare(db, TERMS);
    enum lookup found;

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    found = db_one(st);
    *out = found == LOOKUP_FOUND ? col_text(st, 0, a) : NULL;
    return found;
}

bool approvals_keep_terms(struct db *db, uint64_t agent_id, const struct uuid *id, const char *terms)
{
    struct stmt *st = db_prepare(db, KEEP_TERMS);

    bind_text(st, terms);
    bind_uuid(st, id);
    bind_u64(st, agent_id);
    return db_exec(st) >= 0;
}

enum lookup approvals_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                          struct approval *out)
{
    struct stmt *st = db_prepare(db, GET);

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    return approval_one(st, a, out);
}

enum lookup approvals_of_execution(struct db *db, struct arena *a, uint64_t execution_id,
                                   struct approval *out)
{
    struct stmt *st = db_prepare(db, OF_EXECUTION);

    bind_u64(st, execution_id);
    return approval_one(st, a, out);
}

static bool approval_count(struct db *db, uint64_t agent_id, enum approval_state state, int64_t delta)
{
    struct stmt *st = db_prepare(db, COUNT_ONE);

    bind_u64(st, agent_id);
    bind_u64(st, state);
    bind_i64(st, delta);
    return db_exec(st) >= 0;
}

bool approvals_add(struct db *db, struct approval *ap)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, ap->slippage.value);
    bind_text(st, ap->why);
    bind_u64(st, ap->execution_id);
    if (db_exec(st) != 1)
        return false;
    st = db_prepare(db, EXPIRES);
    bind_uuid(st, &ap->id);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    ap->expires_ms = col_ms(st, 0);
    return approval_count(db, ap->agent_id, APPROVAL_WAITING, 1);
}

static int approvals_read(struct stmt *st, struct arena *a, struct approval *out)
{
    int n = 0;

    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_approval(st, a, &out[n++]);
    return n;
}

static int approvals_listed(struct stmt *st, struct arena *a, struct approval **out)
{
    *out = ARENA_ARRAY(a, struct approval, LIST_MAX);
    bind_u64(st, LIST_MAX);
    return approvals_read(st, a, *out);
}

int approvals_waiting(struct db *db, struct arena *a, struct approval **out)
{
    return approvals_listed(db_prepare(db, WAITING), a, out);
}

int approvals_open(struct db *db, struct arena *a, struct approval **out)
{
    return approvals_listed(db_prepare(db, OPEN), a, out);
}

static bool approvals_total(struct db *db, uint64_t agent_id, enum approval_state state, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTAL);

    bind_u64(st, agent_id);
    bind_u64(st, state);
    bind_u64(st, state);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *total = col_u64(st, 0);
    return true;
}

static struct stmt *filtered_prepare(struct db *db, const char *sql, uint64_t agent_id,
                                     enum approval_state state, const struct list_filter *f)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_u64(st, state);
    bind_u64(st, state);
    bind_list_filter(st, f);
    return st;
}

static int approvals_filtered(struct db *db, struct arena *a, uint64_t agent_id, enum approval_state state,
                              const struct list_filter *f, const struct page *p, struct approval *out,
                              uint64_t *total)
{
    struct stmt *st = filtered_prepare(db, FILTERED_TOTAL, agent_id, state, f);

    if (db_one(st) != LOOKUP_FOUND)
        return -1;
    *total = col_u64(st, 0);
    st = filtered_prepare(db, FILTERED, agent_id, state, f);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return approvals_read(st, a, out);
}

int approvals_page(struct db *db, struct arena *a, uint64_t agent_id, enum approval_state state,
                   const struct list_filter *f, const struct page *p, struct approval *out, uint64_t *total)
{
    struct stmt *st;

    if (!list_filter_is_open(f))
        return approvals_filtered(db, a, agent_id, state, f, p, out, total);
    if (!approvals_total(db, agent_id, state, total))
        return -1;
    st = db_prepare(db, state == 0 ? PAGE : PAGE_IN);
    bind_u64(st, agent_id);
    if (state != 0)
        bind_u64(st, state);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    return approvals_read(st, a, out);
}

int64_t approvals_count(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, COUNT);

    bind_u64(st, agent_id);
    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}

enum db_update approvals_move(struct db *db, const struct approval *ap, enum approval_state to)
{
    struct stmt *st;

    if (!approval_may_move(ap->state, to))
        return UNCHANGED;
    st = db_prepare(db, MOVE);
    bind_u64(st, to);
    bind_u64(st, to);
    bind_uuid(st, &ap->id);
    bind_u64(st, ap->state);
    bind_u64(st, to);
    bind_u64(st, to);
    return db_change(st);
}

bool approvals_count_move(struct db *db, const struct approval *ap, enum approval_state to)
{
    return approval_count(db, ap->agent_id, ap->state, -1) && approval_count(db, ap->agent_id, to, 1);
}
