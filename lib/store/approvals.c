#include "store/approvals.h"

#define IN_TIME "expires_at > UTC_TIMESTAMP(3)"

enum { LIST_MAX = 1000 };

static const char ADD[] =
    "INSERT INTO approvals (id, agent_id, swap_id, state, slippage_ppm, why, created_at, expires_at)"
    " VALUES (?, ?, ?, 1, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? SECOND)";
#define SELECT                                                                                               \
    "SELECT id, agent_id, swap_id, state, expires_at <= UTC_TIMESTAMP(3), slippage_ppm, why, created_at,"    \
    " expires_at FROM approvals"
static const char GET[] = SELECT " WHERE id = ? AND (? = 0 OR agent_id = ?)";
static const char WAITING[] = SELECT " WHERE state = 1 AND " IN_TIME " ORDER BY created_at, id LIMIT ?";
static const char COUNT[] = "SELECT COUNT(*) FROM approvals WHERE agent_id = ? AND state = 1 AND " IN_TIME;
static const char EXPIRES[] = "SELECT expires_at FROM approvals WHERE id = ?";
static const char GRANT[] = "UPDATE approvals SET state = 2 WHERE id = ? AND state = 1 AND " IN_TIME;
static const char DENY[] = "UPDATE approvals SET state = 3 WHERE id = ? AND state IN (1, 2)";
static const char TAKE[] =
    "UPDATE approvals SET state = 4 WHERE id = ? AND agent_id = ? AND state = 2 AND " IN_TIME;
static const char LAPSE[] =
    "UPDATE approvals SET state = 5 WHERE swap_id = ? AND state IN (1, 2) AND NOT " IN_TIME;
static const char IS_THERE[] = "SELECT 1 FROM approvals WHERE swap_id = ?";

static void read_approval(struct stmt *st, struct arena *a, struct approval *ap)
{
    *ap = (struct approval){
        .id = col_uuid(st, 0),
        .agent_id = col_u64(st, 1),
        .swap_id = col_u64(st, 2),
        .state = (enum approval_state)col_u64(st, 3),
        .expired = col_u64(st, 4) != 0,
        .slippage = { (uint32_t)col_u64(st, 5) },
        .why = col_text(st, 6, a),
        .created_ms = col_ms(st, 7),
        .expires_ms = col_ms(st, 8),
    };
}

int approvals_get(struct db *db, struct arena *a, uint64_t agent_id, const struct uuid *id,
                  struct approval *out)
{
    struct stmt *st = db_prepare(db, GET);
    int found;

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == 1)
        read_approval(st, a, out);
    return found;
}

bool approvals_add(struct db *db, struct approval *ap)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_uuid(st, &ap->id);
    bind_u64(st, ap->agent_id);
    bind_u64(st, ap->swap_id);
    bind_u64(st, ap->slippage.value);
    bind_text(st, ap->why);
    bind_u64(st, APPROVAL_LIFETIME_S);
    if (db_exec(st) != 1)
        return false;
    st = db_prepare(db, EXPIRES);
    bind_uuid(st, &ap->id);
    if (db_one(st) != 1)
        return false;
    ap->expires_ms = col_ms(st, 0);
    return true;
}

int approvals_waiting(struct db *db, struct arena *a, struct approval **out)
{
    struct stmt *st = db_prepare(db, WAITING);
    int n = 0;

    *out = ARENA_ARRAY(a, struct approval, LIST_MAX);
    bind_u64(st, LIST_MAX);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_approval(st, a, &(*out)[n++]);
    return n;
}

int64_t approvals_count(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, COUNT);

    bind_u64(st, agent_id);
    return db_one(st) == 1 ? col_i64(st, 0) : -1;
}

int approvals_grant(struct db *db, const struct uuid *id)
{
    struct stmt *st = db_prepare(db, GRANT);

    bind_uuid(st, id);
    return (int)db_exec(st);
}

int approvals_deny(struct db *db, const struct uuid *id)
{
    struct stmt *st = db_prepare(db, DENY);

    bind_uuid(st, id);
    return (int)db_exec(st);
}

int approvals_take(struct db *db, const struct uuid *id, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, TAKE);

    bind_uuid(st, id);
    bind_u64(st, agent_id);
    return (int)db_exec(st);
}

int approvals_lapse(struct db *db, uint64_t swap_id)
{
    struct stmt *st = db_prepare(db, LAPSE);
    int64_t lapsed;
    int there;

    bind_u64(st, swap_id);
    lapsed = db_exec(st);
    if (lapsed != 0)
        return (int)lapsed;
    st = db_prepare(db, IS_THERE);
    bind_u64(st, swap_id);
    there = db_one(st);
    return there < 0 ? -1 : there == 0;
}
