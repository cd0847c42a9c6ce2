#include "store/quotas.h"

#define IN_FORCE "(ends_at IS NULL OR ends_at > UTC_TIMESTAMP(3))"

static const char TURN[] =
    "INSERT INTO quotas (agent_id, version) VALUES (?, 1) ON DUPLICATE KEY UPDATE version = version + 1";
static const char AUDIT_LINE[] =
    "INSERT INTO quotas (agent_id, audit_day, audit_lines) VALUES (?, UTC_DATE(), 1) ON DUPLICATE KEY UPDATE"
    " audit_lines = IF(audit_day = UTC_DATE(), audit_lines + 1, 1), audit_day = UTC_DATE()";
static const char AUDIT_LINES[] = "SELECT audit_lines FROM quotas WHERE agent_id = ?";

/* The used amount of each quota. All ids are the agent's. */
static const char *const used[QUOTAS] = {
    [QUOTA_TASK_BYTES] =
        "SELECT CAST(COALESCE(SUM(bytes), 0) AS UNSIGNED) FROM (SELECT bytes FROM tasks WHERE"
        " agent_id = ? UNION ALL SELECT bytes FROM task_messages WHERE agent_id = ?) t",
    [QUOTA_RECORD_BYTES] =
        "SELECT CAST(COALESCE(SUM(bytes), 0) AS UNSIGNED) FROM idempotency WHERE agent_id = ?",
    [QUOTA_WALLETS] = "SELECT COUNT(*) FROM wallets WHERE agent_id = ?",
    [QUOTA_POLICIES] = "SELECT COUNT(*) FROM policies WHERE agent_id = ? AND " IN_FORCE,
    [QUOTA_ADDRESSES] = "SELECT COUNT(*) FROM withdrawal_addresses WHERE agent_id = ? AND removed_at IS NULL",
    [QUOTA_PUSHES] = "SELECT COUNT(*) FROM task_pushes WHERE agent_id = ?",
};

static bool quota_turn(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, TURN);

    bind_u64(st, agent_id);
    return db_exec(st) > 0;
}

enum db_update quotas_room(struct db *db, uint64_t agent_id, enum quota kind, uint64_t more, uint64_t limit)
{
    struct stmt *st;

    if (limit == QUOTA_NONE)
        return UPDATED;
    if (!quota_turn(db, agent_id))
        return DB_ERROR;
    st = db_prepare(db, used[kind]);
    bind_u64(st, agent_id);
    if (kind == QUOTA_TASK_BYTES)
        bind_u64(st, agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return DB_ERROR;
    return col_u64(st, 0) + more <= limit ? UPDATED : UNCHANGED;
}

enum db_update quotas_audit_line(struct db *db, uint64_t agent_id, uint64_t limit)
{
    struct stmt *st = db_prepare(db, AUDIT_LINE);

    bind_u64(st, agent_id);
    if (db_exec(st) < 0)
        return DB_ERROR;
    st = db_prepare(db, AUDIT_LINES);
    bind_u64(st, agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return DB_ERROR;
    return col_u64(st, 0) <= limit ? UPDATED : UNCHANGED;
}
