#include "store/purges.h"

#include "store/states.h"

#define LEASE     "INTERVAL 60 SECOND"
#define GIVEN_UP  "INTERVAL 1 DAY"
#define LAST_CALL "INTERVAL 1 MINUTE" /* longer than any request takes */

static const char DUE[] =
    "SELECT agent_id FROM purges WHERE next_at <= UTC_TIMESTAMP(3) ORDER BY next_at LIMIT 1";
static const char CLAIM[] = "UPDATE purges SET next_at = UTC_TIMESTAMP(3) + " LEASE
                            " WHERE agent_id = ? AND next_at <= UTC_TIMESTAMP(3)";

/* On another node of a cluster a wallet may have been added just when the agent was deleted. */
static const char FORGET_KEYS[] = "UPDATE wallets SET sealed_key = '' WHERE agent_id = ?";
/* The event of the deletion is sent for as long as any other event. */
#define SECURITY_PENDING                                                                                     \
    "(security = 1 AND status = " SQL_EVENT_PENDING " AND created_at > UTC_TIMESTAMP(3) - INTERVAL 4 DAY)"
#define NOTHING_PENDING                                                                                                     \
    "NOT EXISTS (SELECT 1 FROM webhook_events e WHERE e.agent_id = event_queues.agent_id AND e.status = " SQL_EVENT_PENDING \
    ")"
/* Rows that belong to the agent alone. */
static const char *const OWNED[] = {
    "DELETE FROM quotes WHERE agent_id = ? LIMIT ?",
    "DELETE FROM idempotency WHERE agent_id = ? LIMIT ?",
    "DELETE FROM webhook_events WHERE agent_id = ? AND NOT " SECURITY_PENDING " LIMIT ?",
    "DELETE FROM event_totals WHERE agent_id = ? LIMIT ?",
    "DELETE FROM event_queues WHERE agent_id = ? AND " NOTHING_PENDING " LIMIT ?",
    "DELETE FROM callbacks WHERE agent_id = ? LIMIT ?",
    "DELETE FROM task_pushes WHERE agent_id = ? LIMIT ?",
    "DELETE FROM task_messages WHERE agent_id = ? LIMIT ?",
    "DELETE FROM tasks WHERE agent_id = ? LIMIT ?",
    "DELETE FROM policies WHERE agent_id = ? LIMIT ?",
    "DELETE FROM spends WHERE agent_id = ? LIMIT ?",
    "DELETE FROM approvals WHERE agent_id = ? LIMIT ?",
    "DELETE FROM approval_totals WHERE agent_id = ? LIMIT ?",
    "DELETE FROM execution_marks WHERE agent_id = ? LIMIT ?",
    "DELETE FROM trading_halts WHERE agent_id = ? LIMIT ?",
    "DELETE FROM lend_monitors WHERE agent_id = ? LIMIT ?",
    "DELETE FROM lend_liquidations WHERE agent_id = ? LIMIT ?",
};

/* Executions are leased, so that the rows that belong to them are removed before they are. They are read in
 * the order of an index: in any other each batch would read and sort all remaining ones. */
static const char LEASE_EXECUTIONS[] =
    "UPDATE executions FORCE INDEX (agent_page) SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + " LEASE
    " WHERE agent_id = ?"
    " AND (in_flight NOT IN (" SQL_IN_FLIGHT ", " SQL_FOLLOW_BRIDGE
    ") OR valid_until < UTC_TIMESTAMP(3) - " GIVEN_UP ")"
    " AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))"
    " AND NOT EXISTS (SELECT 1 FROM predict_orders o WHERE o.execution_id = executions.id AND o.final = 0"
    " AND o.cancel_requested_at > UTC_TIMESTAMP(3) - " GIVEN_UP ")"
    " AND NOT EXISTS (SELECT 1 FROM perps_orders o WHERE o.execution_id = executions.id AND o.final = 0"
    " AND o.cancel_requested_at > UTC_TIMESTAMP(3) - " GIVEN_UP ") LIMIT ?";
static const char *const LEASED[] = {
    "DELETE t FROM executions s JOIN transactions t ON t.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE r FROM executions s JOIN requests r ON r.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE f FROM executions s JOIN predict_fills f ON f.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE o FROM executions s JOIN predict_orders o ON o.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE o FROM executions s JOIN perps_orders o ON o.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE o FROM executions s JOIN lend_operations o ON o.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE p FROM executions s JOIN perps_transfers p ON p.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE w FROM executions s JOIN withdrawals w ON w.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE b FROM executions s JOIN bridges b ON b.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE r FROM executions s JOIN bridge_deliveries r ON r.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE h FROM executions s JOIN execution_history h ON h.execution_id = s.id WHERE s.lease_owner = ?",
    "DELETE FROM executions WHERE lease_owner = ?",
};

/* Executions in flight are followed by means of their wallet, and counted when they move. */
static const char HAS_EXECUTIONS[] = "SELECT 1 FROM executions WHERE agent_id = ? LIMIT 1";
static const char HAS_EVENTS[] = "SELECT 1 FROM webhook_events WHERE agent_id = ? LIMIT 1";
static const char *const LAST[] = {
    "DELETE n FROM wallets w JOIN wallet_nonces n ON n.wallet_id = w.id WHERE w.agent_id = ?",
    "DELETE n FROM wallets w JOIN foreign_nonces n ON n.wallet_id = w.id WHERE w.agent_id = ?",
    "DELETE n FROM wallets w JOIN signing_nonces n ON n.signing_key = w.address WHERE w.agent_id = ?",
    "DELETE n FROM trading_keys k JOIN signing_nonces n ON n.signing_key = k.address WHERE k.agent_id = ?",
    "DELETE FROM trading_keys WHERE agent_id = ?",
    "DELETE FROM perps_fills WHERE agent_id = ?",
    "DELETE FROM perps_payments WHERE agent_id = ?",
    "DELETE FROM perps_accounts WHERE agent_id = ?",
    "DELETE FROM predict_accounts WHERE agent_id = ?",
    "DELETE FROM withdrawal_addresses WHERE agent_id = ?",
    "DELETE FROM wallets WHERE agent_id = ?",
    "DELETE FROM execution_totals WHERE agent_id = ?",
    "DELETE FROM quotas WHERE agent_id = ?",
};
static const char END[] =
    "DELETE FROM purges WHERE agent_id = ? AND created_at < UTC_TIMESTAMP(3) - " LAST_CALL;

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum lookup purges_claim(struct db *db, uint64_t *agent_id)
{
    for (;;) {
        struct stmt *st = db_prepare(db, DUE);
        int64_t claimed;
        enum lookup found = db_one(st);

        if (found != LOOKUP_FOUND)
            return found;
        *agent_id = col_u64(st, 0);
        st = db_prepare(db, CLAIM);
        bind_u64(st, *agent_id);
        claimed = db_exec(st);
        if (claimed != 0)
            return (int)claimed; /* 0: another job was first */
    }
}

static int64_t exec_with(struct db *db, const char *sql, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    return db_exec(st);
}

static int64_t delete_owned(struct db *db, uint64_t agent_id, uint64_t max)
{
    int64_t sum = 0;

    for (size_t i = 0; i < COUNT(OWNED); i++) {
        struct stmt *st = db_prepare(db, OWNED[i]);
        int64_t n;

        bind_u64(st, agent_id);
        bind_u64(st, max);
        n = db_exec(st);
        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}

static int64_t delete_executions(struct db *db, uint64_t agent_id, uint64_t max)
{
    struct uuid owner = uuid_random();
    struct stmt *st = db_prepare(db, LEASE_EXECUTIONS);
    int64_t n;

    bind_uuid(st, &owner);
    bind_u64(st, agent_id);
    bind_u64(st, max);
    n = db_exec(st);
    for (size_t i = 0; n > 0 && i < COUNT(LEASED); i++) {
        st = db_prepare(db, LEASED[i]);
        bind_uuid(st, &owner);
        if (db_exec(st) < 0)
            return -1;
    }
    return n;
}

int64_t purges_batch(struct db *db, uint64_t agent_id, uint64_t max)
{
    int64_t owned = delete_owned(db, agent_id, max), executions = delete_executions(db, agent_id, max);

    return exec_with(db, FORGET_KEYS, agent_id) < 0 || owned < 0 || executions < 0 ? -1 : owned + executions;
}

static enum lookup found_with(struct db *db, const char *sql, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    return db_one(st);
}

enum db_update purges_end(struct db *db, uint64_t agent_id)
{
    enum lookup left = found_with(db, HAS_EXECUTIONS, agent_id);
    struct stmt *st;

    if (left == LOOKUP_NONE)
        left = found_with(db, HAS_EVENTS, agent_id);
    if (left != LOOKUP_NONE)
        return left == LOOKUP_ERROR ? DB_ERROR : UNCHANGED;
    for (size_t i = 0; i < COUNT(LAST); i++)
        if (exec_with(db, LAST[i], agent_id) < 0)
            return DB_ERROR;
    st = db_prepare(db, END);
    bind_u64(st, agent_id);
    return db_change(st);
}
