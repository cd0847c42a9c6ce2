#include "store/lookups.h"

#include "store/columns.h"
#include "store/states.h"

/* A statement for all agents, and one for a single agent, through an index of its own: in a large table most
 * rows are other agents'. */
#define OF_ALL_AND_ONE(name, before, after)                                                                  \
    static const char name[] = before "? = 0" after;                                                         \
    static const char name##_OF_AGENT[] = before "agent_id = ?" after;

OF_ALL_AND_ONE(EXECUTIONS, "SELECT id FROM executions WHERE ", " ORDER BY id DESC LIMIT ?")
OF_ALL_AND_ONE(FAILED, "SELECT id FROM executions WHERE ",
               " AND status = " SQL_FAILED " ORDER BY id DESC LIMIT ?")
OF_ALL_AND_ONE(STUCK, "SELECT id FROM executions WHERE ",
               " AND in_flight IN (" SQL_IN_FLIGHT ", " SQL_FOLLOW_BRIDGE ") AND status <= " SQL_PROCESSING
               " AND updated_at < UTC_TIMESTAMP(3) - INTERVAL 10 MINUTE"
               " AND (approval_id IS NULL OR status <> " SQL_PENDING
               " OR approval_expires_at <= UTC_TIMESTAMP(3)) ORDER BY id DESC LIMIT ?")
OF_ALL_AND_ONE(
    EVENTS,
    "SELECT id, agent_id, event_type, status, attempts, last_error, response_status, callback_url, created_at,"
    " delivered_at, IF(status = " SQL_EVENT_PENDING ", next_at, NULL) FROM webhook_events WHERE ",
    " AND (? = 0 OR status = ?) ORDER BY seq DESC LIMIT ?")
/* Older programs wrote down, too, that it came into being. */
static const char HISTORY[] =
    "SELECT 0, " SQL_PENDING ", 'accepted', created_at, 0 AS place FROM executions WHERE id = ? UNION ALL"
    " SELECT from_status, to_status, why, created_at, id FROM execution_history WHERE execution_id = ?"
    " AND from_status <> 0 ORDER BY place";
static const char DUE[] =
    "SELECT IF(e.in_flight = 0, NULL, e.due_at), b.next_poll_at, e.lease_until > UTC_TIMESTAMP(3) FROM"
    " executions e"
    " LEFT JOIN bridges b ON b.execution_id = e.id AND e.status = " SQL_PROCESSING " WHERE e.id = ?";
static const char REQUEST[] = "SELECT request_id FROM executions WHERE id = ?";
static const char EVENT_AGENT[] = "SELECT agent_id FROM webhook_events WHERE id = ?";
static const char NAMED[] =
    "SELECT id FROM agents WHERE INSTR(LOWER(name), LOWER(?)) > 0 ORDER BY id DESC LIMIT ?";
static const char OF_WALLET[] = "SELECT DISTINCT agent_id FROM wallets WHERE kind IN (" SQL_WALLET_KINDS
                                ") AND address = CONVERT(? USING ascii) ORDER BY agent_id LIMIT ?";
static const char OF_HASH[] =
    "SELECT execution_id FROM transactions WHERE hash = ? UNION"
    " SELECT execution_id FROM bridges WHERE out_tx = ? ORDER BY execution_id LIMIT ?";
static const char OF_REQUEST[] =
    "SELECT id FROM executions WHERE request_id = CONVERT(? USING ascii) ORDER BY id LIMIT ?";
static const char AGENT_UUID[] = "SELECT uuid FROM agents WHERE id = ?";

/* The only column of all rows, in the arena. How many, or -1. */
static int read_ids(struct stmt *st, struct arena *a, uint64_t **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] = col_u64(st, 0);
    }
    return n;
}

int lookup_executions(struct db *db, struct arena *a, uint64_t agent_id, enum execution_pick pick,
                      unsigned max, uint64_t **out)
{
    static const char *const of_all[] = { EXECUTIONS, FAILED, STUCK }, *const of_agent[] = {
        EXECUTIONS_OF_AGENT, FAILED_OF_AGENT, STUCK_OF_AGENT
    };
    struct stmt *st = db_prepare(db, agent_id == 0 ? of_all[pick] : of_agent[pick]);

    bind_u64(st, agent_id);
    bind_u64(st, max);
    return read_ids(st, a, out);
}

int lookup_history(struct db *db, struct arena *a, uint64_t id, struct execution_step **out)
{
    struct stmt *st = db_prepare(db, HISTORY);
    int n = 0;

    *out = NULL;
    bind_u64(st, id);
    bind_u64(st, id);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] =
            (struct execution_step){ (enum exec_status)col_u64(st, 0), (enum exec_status)col_u64(st, 1),
                                     col_text(st, 2, a), col_ms(st, 3) };
    }
    return n;
}

enum lookup lookup_due(struct db *db, uint64_t id, struct execution_due *out)
{
    struct stmt *st = db_prepare(db, DUE);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = (struct execution_due){ col_ms(st, 0), col_ms(st, 1), col_u64(st, 2) != 0 };
    return found;
}

enum lookup lookup_request(struct db *db, struct arena *a, uint64_t id, const char **out)
{
    struct stmt *st = db_prepare(db, REQUEST);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = col_text(st, 0, a);
    return found;
}

static void read_event(struct stmt *st, struct arena *a, struct event *e)
{
    *e = (struct event){
        .id = col_uuid(st, 0),
        .agent_id = col_u64(st, 1),
        .type = col_text(st, 2, a),
        .status = (enum event_status)col_u64(st, 3),
        .attempts = (unsigned)col_u64(st, 4),
        .last_error = col_text(st, 5, a),
        .response_status = (int)col_u64(st, 6),
        .callback_url = col_text(st, 7, a),
        .created_ms = col_ms(st, 8),
        .delivered_ms = col_ms(st, 9),
        .next_ms = col_ms(st, 10),
    };
}

int lookup_events(struct db *db, struct arena *a, uint64_t agent_id, enum event_status status, unsigned max,
                  struct event **out)
{
    struct stmt *st = db_prepare(db, agent_id == 0 ? EVENTS : EVENTS_OF_AGENT);
    int n = 0;

    *out = NULL;
    bind_u64(st, agent_id);
    bind_u64(st, status);
    bind_u64(st, status);
    bind_u64(st, max);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_event(st, a, &(*out)[n++]);
    }
    return n;
}

enum lookup lookup_event_agent(struct db *db, struct uuid id, uint64_t *agent_id)
{
    struct stmt *st = db_prepare(db, EVENT_AGENT);
    enum lookup found;

    bind_uuid(st, &id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *agent_id = col_u64(st, 0);
    return found;
}

int lookup_agents_named(struct db *db, struct arena *a, const char *text, unsigned max, uint64_t **out)
{
    struct stmt *st = db_prepare(db, NAMED);

    bind_text(st, text);
    bind_u64(st, max);
    return read_ids(st, a, out);
}

int lookup_wallet_agents(struct db *db, struct arena *a, const char *address, unsigned max, uint64_t **out)
{
    struct stmt *st = db_prepare(db, OF_WALLET);

    bind_ascii(st, address);
    bind_u64(st, max);
    return read_ids(st, a, out);
}

int lookup_hash_executions(struct db *db, struct arena *a, const struct tx_hash *hash, unsigned max,
                           uint64_t **out)
{
    struct stmt *st = db_prepare(db, OF_HASH);

    bind_tx_hash(st, hash);
    bind_tx_hash(st, hash);
    bind_u64(st, max);
    return read_ids(st, a, out);
}

int lookup_request_executions(struct db *db, struct arena *a, const char *request_id, unsigned max,
                              uint64_t **out)
{
    struct stmt *st = db_prepare(db, OF_REQUEST);

    bind_ascii(st, request_id);
    bind_u64(st, max);
    return read_ids(st, a, out);
}

enum lookup lookup_agent_uuid(struct db *db, uint64_t agent_id, struct uuid *out)
{
    struct stmt *st = db_prepare(db, AGENT_UUID);
    enum lookup found;

    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *out = col_uuid(st, 0);
    return found;
}
