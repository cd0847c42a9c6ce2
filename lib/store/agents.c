#include "store/agents.h"

#include "store/audit.h"
#include "store/callbacks.h"
#include "store/columns.h"
#include "store/events.h"
#include "store/quotas.h"
#include "store/states.h"
#include "store/trading_halts.h"

/* Columns of agent `x`, from column `i` of `st` on. */
#define AGENT(FIRST, NEXT)                                                                                   \
    FIRST("a.id", x->id = col_u64(st, i))                                                                    \
    NEXT("a.uuid", x->uuid = col_uuid(st, i))                                                                \
    NEXT("a.status", x->status = (enum agent_status)col_u64(st, i))                                          \
    NEXT("a.name", x->name = col_text(st, i, arena))                                                         \
    NEXT("a.description", x->description = col_text(st, i, arena))                                           \
    NEXT("a.tier", x->tier = col_text(st, i, arena))                                                         \
    NEXT("a.callback_url", x->callback_url = col_text(st, i, arena))                                         \
    NEXT("a.metadata", x->metadata = col_text(st, i, arena))                                                 \
    NEXT("a.webhook_secret IS NOT NULL", x->has_webhook_secret = col_u64(st, i) != 0)                        \
    NEXT("a.total_requests", x->total_requests = col_u64(st, i))                                             \
    NEXT("a.swaps_pending", x->swaps_pending = col_u64(st, i))                                               \
    NEXT("a.swaps_submitted", x->swaps_submitted = col_u64(st, i))                                           \
    NEXT("a.swaps_completed", x->swaps_completed = col_u64(st, i))                                           \
    NEXT("a.swaps_failed", x->swaps_failed = col_u64(st, i))                                                 \
    NEXT("a.orders_pending", x->orders[ORDER_PENDING] = col_u64(st, i))                                      \
    NEXT("a.orders_open", x->orders[ORDER_OPEN] = col_u64(st, i))                                            \
    NEXT("a.orders_filled", x->orders[ORDER_FILLED] = col_u64(st, i))                                        \
    NEXT("a.orders_cancelled", x->orders[ORDER_CANCELLED] = col_u64(st, i))                                  \
    NEXT("a.orders_rejected", x->orders[ORDER_REJECTED] = col_u64(st, i))                                    \
    NEXT("a.perps_orders", x->perps_orders = col_u64(st, i))                                                 \
    NEXT("a.lend_operations", x->lend_operations = col_u64(st, i))                                           \
    NEXT("a.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("a.last_active_at", x->last_active_ms = col_ms(st, i))                                              \
    NEXT("a.banned", x->banned = col_u64(st, i) != 0)                                                        \
    NEXT("COALESCE(a.updated_at, a.created_at)", x->updated_ms = col_ms(st, i))

static const char ADD[] = "INSERT INTO agents (uuid, key_hash, name, description, tier, callback_url,"
                          " webhook_secret, metadata, created_at, last_active_at)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";
static const char CREATED[] = "SELECT created_at FROM agents WHERE uuid = ?";
#define SELECT_AGENT "SELECT " AGENT(FIRST_NAME, NEXT_NAME) " FROM agents a"
static const char BY_KEY[] = SELECT_AGENT " WHERE key_hash = ?";
static const char BY_UUID[] = SELECT_AGENT " WHERE uuid = ?";
static const char BY_ID[] = SELECT_AGENT " WHERE id = ?";
static const char NEWEST[] = SELECT_AGENT " WHERE id < ? ORDER BY id DESC LIMIT ?";
static const char NEWEST_OF_TIER[] = SELECT_AGENT " WHERE id < ? AND tier = ? ORDER BY id DESC LIMIT ?";
static const char PAGE[] = SELECT_AGENT " WHERE id > ? ORDER BY id LIMIT ?";
static const char PAGE_OF_TIER[] = SELECT_AGENT " WHERE id > ? AND tier = ? ORDER BY id LIMIT ?";
static const char UUID_OF[] = "SELECT uuid FROM agents WHERE id = ?";
static const char ID_OF[] = "SELECT id FROM agents WHERE uuid = ?";
#define NOW_UPDATED " updated_at = UTC_TIMESTAMP(3)"
static const char SET_TIER[] = "UPDATE agents SET tier = ?," NOW_UPDATED " WHERE id = ?";
static const char SET_KEY[] = "UPDATE agents SET key_hash = ? WHERE id = ?";
static const char SET_STATUS[] = "UPDATE agents SET status = ?," NOW_UPDATED " WHERE id = ? AND status <> ?";
static const char CHANGE[] =
    "UPDATE agents SET description = IF(?, ?, description),"
    " callback_url = IF(?, ?, callback_url), metadata = IF(?, ?, metadata)," NOW_UPDATED " WHERE id = ?";
static const char FIRST_SECRET[] =
    "UPDATE agents SET webhook_secret = ? WHERE id = ? AND webhook_secret IS NULL";
static const char COUNT_REQUESTS[] = "UPDATE agents SET total_requests = total_requests + ?,"
                                     " last_active_at = GREATEST(last_active_at, ?) WHERE uuid = ?";
static const char COUNT_SWAP[] =
    "UPDATE agents SET swaps_pending = swaps_pending + ?,"
    " swaps_submitted = swaps_submitted + ?, swaps_completed = swaps_completed + ?,"
    " swaps_failed = swaps_failed + ?, swaps_marked_upto = LEAST(swaps_marked_upto, ?) WHERE id = ?";
static const char COUNT_ORDERS[] =
    "UPDATE agents SET orders_pending = orders_pending + ?, orders_open = orders_open + ?,"
    " orders_filled = orders_filled + ?, orders_cancelled = orders_cancelled + ?,"
    " orders_rejected = orders_rejected + ? WHERE id = ?";
static const char COUNT_LENDING[] = "UPDATE agents SET lend_operations = lend_operations + ? WHERE id = ?";
static const char COUNT_PERPS_ORDERS[] = "UPDATE agents SET perps_orders = perps_orders + ? WHERE id = ?";

static const char ROTATE[] = "UPDATE agents SET key_hash = ? WHERE id = ? AND key_hash = ?";
/* Assignments take effect from left to right. */
static const char RENEW_SECRET[] =
    "UPDATE agents SET previous_secret = webhook_secret,"
    " previous_secret_until = UTC_TIMESTAMP(3) + INTERVAL 24 HOUR, webhook_secret = ? WHERE id = ?";
static const char STATUS_MOVE[] = "UPDATE agents SET status = ?," NOW_UPDATED " WHERE id = ? AND status = ?";
static const char FORGET_KEYS[] = "UPDATE wallets SET sealed_key = '' WHERE agent_id = ?";
/* Requests the cancel of all resting orders; the accounts that have any become due. */
static const char CANCEL_ORDERS[] =
    "UPDATE predict_orders FORCE INDEX (agent_status_page) SET cancel_requested_at = UTC_TIMESTAMP(3)"
    " WHERE agent_id = ? AND status IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ")"
    " AND cancel_requested_at IS NULL";
static const char ORDERS_DUE[] = "UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3)"
                                 " WHERE agent_id = ? AND orders_due_at IS NOT NULL";
static const char CANCEL_PERPS_ORDERS[] =
    "UPDATE perps_orders SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE agent_id = ?"
    " AND status IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN ") AND cancel_requested_at IS NULL";
static const char PERPS_ORDERS_DUE[] = "UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3)"
                                       " WHERE agent_id = ? AND due_at IS NOT NULL";
static const char DELETE[] = "DELETE FROM agents WHERE id = ?";
static const char BUSY[] =
    "SELECT 1 FROM executions FORCE INDEX (agent_listed_page) WHERE agent_id = ? AND in_swaps IN (0, 1)"
    " AND listed IN (" SQL_PENDING ", " SQL_SUBMITTED ") LIMIT 1";
static const char ADD_PURGE[] = "INSERT INTO purges (agent_id, created_at, next_at)"
                                " VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";

struct adding {
    const struct agent_new *agent;
    int64_t created_ms;
};

static bool created_read(struct db *db, struct adding *x)
{
    struct stmt *st = db_prepare(db, CREATED);

    bind_uuid(st, &x->agent->uuid);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    x->created_ms = col_ms(st, 0);
    return true;
}

static bool callback_note(struct db *db, const struct uuid *uuid)
{
    struct stmt *st = db_prepare(db, ID_OF);

    bind_uuid(st, uuid);
    return db_one(st) == LOOKUP_FOUND && callbacks_note(db, col_u64(st, 0)) == UPDATED;
}

static enum tx_verdict agent_insert(struct db *db, void *arg)
{
    struct adding *x = arg;
    const struct agent_new *a = x->agent;
    struct stmt *st = db_prepare(db, ADD);

    bind_uuid(st, &a->uuid);
    bind_bytes(st, a->key_hash, sizeof a->key_hash);
    bind_text(st, a->name);
    bind_text(st, a->description);
    bind_text(st, a->tier);
    bind_text(st, a->callback_url);
    bind_bytes(st, a->sealed_secret, a->sealed_secret_len);
    bind_text(st, a->metadata);
    if (db_exec(st) != 1 || (a->callback_url != NULL && !callback_note(db, &a->uuid)))
        return TX_FAILED;
    return created_read(db, x) ? TX_COMMIT : TX_FAILED;
}

/* Runs in a transaction, whose begin notices a connection that died while it was idle. */
bool agents_add(struct db *db, const struct agent_new *a, int64_t *created_ms)
{
    struct adding x = { .agent = a };
    enum tx_result result = db_transact(db, agent_insert, &x);
    bool added = result == TX_DONE || (result == TX_UNKNOWN && created_read(db, &x));

    if (added)
        *created_ms = x.created_ms;
    return added;
}

static void read_agent(struct stmt *st, struct arena *arena, struct agent *x)
{
    unsigned i = 0;

    *x = (struct agent){ .id = 0 };
    AGENT(READ_FIRST, READ_NEXT)
}

enum lookup agents_by_key(struct db *db, struct arena *arena, const uint8_t key_hash[static HASH_LEN],
                          struct agent *out)
{
    struct stmt *st = db_prepare(db, BY_KEY);
    enum lookup found;

    bind_bytes(st, key_hash, HASH_LEN);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_agent(st, arena, out);
    return found;
}

enum lookup agents_by_uuid(struct db *db, struct arena *arena, const struct uuid *uuid, struct agent *out)
{
    struct stmt *st = db_prepare(db, BY_UUID);
    enum lookup found;

    bind_uuid(st, uuid);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_agent(st, arena, out);
    return found;
}

enum lookup agents_by_id(struct db *db, struct arena *arena, uint64_t id, struct agent *out)
{
    struct stmt *st = db_prepare(db, BY_ID);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_agent(st, arena, out);
    return found;
}

/* Runs the statement, which lists the agents on one side of an id. */
static int agents_list(struct stmt *st, struct arena *arena, uint64_t id, const char *tier, struct agent *out,
                       unsigned max)
{
    int n = 0;

    bind_u64(st, id);
    if (tier != NULL)
        bind_ascii(st, tier);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_agent(st, arena, &out[n++]);
    return n;
}

int agents_page(struct db *db, struct arena *arena, const char *tier, uint64_t after_id, struct agent *out,
                unsigned max)
{
    return agents_list(db_prepare(db, tier == NULL ? PAGE : PAGE_OF_TIER), arena, after_id, tier, out, max);
}

int agents_newest(struct db *db, struct arena *arena, const char *tier, uint64_t before_id, struct agent *out,
                  unsigned max)
{
    return agents_list(db_prepare(db, tier == NULL ? NEWEST : NEWEST_OF_TIER), arena,
                       before_id == 0 ? UINT64_MAX : before_id, tier, out, max);
}

bool agents_set_tier(struct db *db, uint64_t id, const char *tier)
{
    struct stmt *st = db_prepare(db, SET_TIER);

    bind_text(st, tier);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

static bool tell(struct db *db, uint64_t id, const struct security_event *e)
{
    return e == NULL || events_add_security(db, id, e);
}

struct status_job {
    uint64_t id;
    enum agent_status from, to; /* the operator's comes from any other */
    const struct security_event *told;
};

/* Runs one statement: if it found its row, the event is sent. */
static enum tx_verdict moved_and_told(struct db *db, struct stmt *st, const struct status_job *job)
{
    int64_t n = db_exec(st);

    if (n <= 0)
        return n < 0 ? TX_FAILED : TX_ROLLBACK;
    return tell(db, job->id, job->told) ? TX_COMMIT : TX_FAILED;
}

static enum tx_verdict set_status_tx(struct db *db, void *arg)
{
    const struct status_job *job = arg;
    struct stmt *st = db_prepare(db, SET_STATUS);

    bind_u64(st, job->to);
    bind_u64(st, job->id);
    bind_u64(st, job->to);
    return moved_and_told(db, st, job);
}

bool agents_set_status(struct db *db, uint64_t id, enum agent_status status,
                       const struct security_event *told)
{
    struct status_job job = { .id = id, .to = status, .told = told };

    return db_outcome(db_transact(db, set_status_tx, &job)) != DB_ERROR;
}

struct key_job {
    uint64_t id;
    const uint8_t *hash;
    const struct security_event *told;
};

static enum tx_verdict set_key_tx(struct db *db, void *arg)
{
    const struct key_job *job = arg;
    struct stmt *st = db_prepare(db, SET_KEY);

    bind_bytes(st, job->hash, HASH_LEN);
    bind_u64(st, job->id);
    return db_exec(st) == 1 && tell(db, job->id, job->told) ? TX_COMMIT : TX_FAILED;
}

bool agents_set_key(struct db *db, uint64_t id, const uint8_t hash[static HASH_LEN],
                    const struct security_event *told)
{
    struct key_job job = { id, hash, told };

    return db_outcome(db_transact(db, set_key_tx, &job)) == UPDATED;
}

/* Before the callback or its secret changes: whether it may, and to the present receivers that it does. */
static enum db_update callback_open(struct db *db, uint64_t id, const struct security_event *told, bool *full)
{
    enum db_update room = callbacks_room(db, id);

    *full = room == UNCHANGED;
    if (room != UPDATED)
        return room;
    return tell(db, id, told) ? UPDATED : DB_ERROR;
}

struct change_job {
    uint64_t id;
    const struct agent_change *change;
    /* set anew by each run */
    bool secret_kept, moves, full;
};

static bool keep_secret(struct db *db, struct change_job *job)
{
    struct stmt *st = db_prepare(db, FIRST_SECRET);
    int64_t kept;

    bind_bytes(st, job->change->sealed_secret, job->change->sealed_secret_len);
    bind_u64(st, job->id);
    kept = db_exec(st);
    job->secret_kept = kept == 1;
    return kept >= 0;
}

/* Notes the previous callback. The same one again is no change of it. */
static enum db_update change_open(struct db *db, struct change_job *job)
{
    enum db_update noted = callbacks_note(db, job->id);
    enum lookup same;

    if (noted != UPDATED)
        return noted;
    same = callbacks_present(db, job->id, job->change->callback_url);
    job->moves = same == LOOKUP_NONE;
    if (same != LOOKUP_NONE)
        return same == LOOKUP_ERROR ? DB_ERROR : UPDATED;
    return callback_open(db, job->id, job->change->told, &job->full);
}

static bool change_write(struct db *db, struct change_job *job)
{
    const struct agent_change *c = job->change;

    if (c->sealed_secret != NULL && !keep_secret(db, job))
        return false;
    if (job->moves && callbacks_note(db, job->id) != UPDATED)
        return false;
    return !c->set_callback || c->callback_url != NULL ||
           events_fail_pending(db, job->id, false, "callback_url was removed");
}

static enum tx_verdict change_tx(struct db *db, void *arg)
{
    struct change_job *job = arg;
    const struct agent_change *c = job->change;
    enum db_update open = UPDATED;
    struct stmt *st;
    int64_t changed;

    job->secret_kept = job->moves = job->full = false;
    if (c->set_callback)
        open = change_open(db, job);
    if (open != UPDATED)
        return open == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, CHANGE);
    bind_u64(st, c->set_description);
    bind_text(st, c->description);
    bind_u64(st, c->set_callback);
    bind_text(st, c->callback_url);
    bind_u64(st, c->set_metadata);
    bind_text(st, c->metadata);
    bind_u64(st, job->id);
    changed = db_exec(st);
    if (changed != 1)
        return changed < 0 ? TX_FAILED : TX_ROLLBACK;
    return change_write(db, job) ? TX_COMMIT : TX_FAILED;
}

enum db_update agents_change(struct db *db, uint64_t id, const struct agent_change *change, bool *secret_kept)
{
    struct change_job job = { .id = id, .change = change };
    enum db_update changed = change->set_callback ? trading_halts_transact(db, id, change_tx, &job)
                                                  : db_outcome(db_transact(db, change_tx, &job));

    *secret_kept = changed == UPDATED && job.secret_kept;
    return changed == UNCHANGED && job.full ? QUOTA_FULL : changed;
}

bool agents_count_requests(struct db *db, const struct uuid *uuid, uint64_t requests, int64_t last_active_ms)
{
    struct stmt *st = db_prepare(db, COUNT_REQUESTS);

    bind_u64(st, requests);
    bind_ms(st, last_active_ms);
    bind_uuid(st, uuid);
    return db_exec(st) >= 0;
}

enum db_update agents_count_swap(struct db *db, uint64_t id, const int delta[static EXEC_FAILED + 1],
                                 uint64_t marked_upto)
{
    struct stmt *st = db_prepare(db, COUNT_SWAP);

    bind_i64(st, delta[EXEC_PENDING]);
    bind_i64(st, delta[EXEC_SUBMITTED]);
    bind_i64(st, delta[EXEC_COMPLETED]);
    bind_i64(st, delta[EXEC_FAILED]);
    bind_u64(st, marked_upto);
    bind_u64(st, id);
    return db_change(st);
}

bool agents_count_orders(struct db *db, uint64_t id, const int delta[static ORDER_REJECTED + 1])
{
    struct stmt *st = db_prepare(db, COUNT_ORDERS);

    for (unsigned s = ORDER_PENDING; s <= ORDER_REJECTED; s++)
        bind_i64(st, delta[s]);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

enum db_update agents_count_lending(struct db *db, uint64_t id, int more)
{
    struct stmt *st = db_prepare(db, COUNT_LENDING);

    bind_i64(st, more);
    bind_u64(st, id);
    return db_change(st);
}

bool agents_count_perps_orders(struct db *db, uint64_t id, unsigned more)
{
    struct stmt *st = db_prepare(db, COUNT_PERPS_ORDERS);

    bind_u64(st, more);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

/* An act of the agent's own; read its uuid before it is gone. */
static bool agent_audit(struct db *db, const char *act, const struct uuid *uuid, const char *detail)
{
    const struct audit_act what = { .by = "agent", .act = act, .agent = uuid, .detail = detail };

    return audit_write(db, &what);
}

static enum lookup uuid_of(struct db *db, uint64_t id, struct uuid *out)
{
    struct stmt *st = db_prepare(db, UUID_OF);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = col_uuid(st, 0);
    return found;
}

struct rotate_job {
    uint64_t id;
    const uint8_t *old_hash, *new_hash;
    uint64_t audit_lines;
    const struct security_event *told;
    bool full; /* set anew by each run */
};

static enum tx_verdict rotate_tx(struct db *db, void *arg)
{
    struct rotate_job *job = arg;
    enum db_update room = quotas_audit_line(db, job->id, job->audit_lines);
    struct stmt *st;
    struct uuid uuid;
    int64_t rotated;

    job->full = room == UNCHANGED;
    if (room != UPDATED)
        return room == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, ROTATE);
    bind_bytes(st, job->new_hash, HASH_LEN);
    bind_u64(st, job->id);
    bind_bytes(st, job->old_hash, HASH_LEN);
    rotated = db_exec(st);
    if (rotated == 0)
        return TX_ROLLBACK;
    return rotated == 1 && uuid_of(db, job->id, &uuid) == LOOKUP_FOUND &&
                   agent_audit(db, "key.rotate", &uuid, NULL) && tell(db, job->id, job->told)
               ? TX_COMMIT
               : TX_FAILED;
}

enum db_update agents_rotate(struct db *db, uint64_t id, const uint8_t old_hash[static HASH_LEN],
                             const uint8_t new_hash[static HASH_LEN], uint64_t audit_lines,
                             const struct security_event *told)
{
    struct rotate_job job = { id, old_hash, new_hash, audit_lines, told, false };
    enum db_update rotated = trading_halts_transact(db, id, rotate_tx, &job);

    return rotated == UNCHANGED && job.full ? QUOTA_FULL : rotated;
}

struct secret_job {
    uint64_t id;
    const uint8_t *sealed;
    size_t len;
    const struct security_event *told;
    bool full; /* set anew by each run */
};

static enum tx_verdict renew_secret_tx(struct db *db, void *arg)
{
    struct secret_job *job = arg;
    enum db_update open = callbacks_note(db, job->id);
    struct stmt *st;

    job->full = false;
    if (open == UPDATED)
        open = callback_open(db, job->id, job->told, &job->full);
    if (open != UPDATED)
        return open == DB_ERROR ? TX_FAILED : TX_ROLLBACK;
    st = db_prepare(db, RENEW_SECRET);
    bind_bytes(st, job->sealed, job->len);
    bind_u64(st, job->id);
    return db_exec(st) == 1 && callbacks_note(db, job->id) == UPDATED ? TX_COMMIT : TX_FAILED;
}

enum db_update agents_renew_secret(struct db *db, uint64_t id, const uint8_t *sealed, size_t sealed_len,
                                   const struct security_event *told)
{
    struct secret_job job = { id, sealed, sealed_len, told, false };
    enum db_update renewed = trading_halts_transact(db, id, renew_secret_tx, &job);

    return renewed == UNCHANGED && job.full ? QUOTA_FULL : renewed;
}

static enum tx_verdict status_move_tx(struct db *db, void *arg)
{
    const struct status_job *job = arg;
    struct stmt *st = db_prepare(db, STATUS_MOVE);

    bind_u64(st, job->to);
    bind_u64(st, job->id);
    bind_u64(st, job->from);
    return moved_and_told(db, st, job);
}

enum db_update agents_deactivate(struct db *db, uint64_t id, const struct security_event *told)
{
    struct status_job job = { id, AGENT_ACTIVE, AGENT_DEACTIVATED, told };

    return trading_halts_transact(db, id, status_move_tx, &job);
}

enum db_update agents_reactivate(struct db *db, uint64_t id, const struct security_event *told)
{
    struct status_job job = { id, AGENT_DEACTIVATED, AGENT_ACTIVE, told };

    return db_outcome(db_transact(db, status_move_tx, &job));
}

/* Rows of a statement about one agent, or -1. */
static int64_t exec_with(struct db *db, const char *sql, uint64_t id)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, id);
    return db_exec(st);
}

struct delete_job {
    uint64_t id;
    const char *left;
    const struct security_event *told;
    bool *busy;
};

/* Under the lock of the agent's row, which each execution takes that begins. */
static enum lookup is_busy(struct db *db, uint64_t id, bool *busy)
{
    struct stmt *st = db_prepare(db, BUSY);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    *busy = found == LOOKUP_FOUND;
    return found;
}

/* Wallets before the agent, as in an execute. One that was added between the two gets its turn afterwards. */
static enum tx_verdict delete_rows(struct db *db, struct arena *a, const struct delete_job *job)
{
    struct callback told[CALLBACKS_TOLD_MAX];
    uint64_t id = job->id;
    struct uuid uuid;
    int64_t deleted;
    enum lookup found = uuid_of(db, id, &uuid);
    int n = 0;

    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? TX_FAILED : TX_ROLLBACK;
    if (job->told != NULL && (n = callbacks_told(db, a, id, job->told->delay_s, told)) < 0)
        return TX_FAILED;
    if (exec_with(db, FORGET_KEYS, id) < 0 || exec_with(db, CANCEL_ORDERS, id) < 0 ||
        exec_with(db, ORDERS_DUE, id) < 0 || exec_with(db, CANCEL_PERPS_ORDERS, id) < 0 ||
        exec_with(db, PERPS_ORDERS_DUE, id) < 0 || (deleted = exec_with(db, DELETE, id)) < 0)
        return TX_FAILED;
    if (deleted == 0)
        return TX_ROLLBACK;
    if (job->busy != NULL && (found = is_busy(db, id, job->busy)) != LOOKUP_NONE)
        return found == LOOKUP_ERROR ? TX_FAILED : TX_ROLLBACK;
    if (exec_with(db, FORGET_KEYS, id) < 0 || !events_fail_pending(db, id, true, "the agent was deleted") ||
        !callbacks_forget(db, id) || !events_add_told(db, id, job->told, told, n) ||
        exec_with(db, ADD_PURGE, id) != 1 || !agent_audit(db, "agent.delete", &uuid, job->left))
        return TX_FAILED;
    return TX_COMMIT;
}

static enum tx_verdict delete_tx(struct db *db, void *arg)
{
    struct arena *a = arena_new();
    enum tx_verdict verdict = delete_rows(db, a, arg);

    arena_free(a);
    return verdict;
}

enum db_update agents_delete(struct db *db, uint64_t id, const char *left, const struct security_event *told,
                             bool *busy)
{
    struct delete_job job = { id, left, told, busy };

    if (busy != NULL)
        *busy = false;

    return trading_halts_transact(db, id, delete_tx, &job);
}
