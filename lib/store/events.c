#include "store/events.h"

#include "model/event_attempt.h"
#include "store/callbacks.h"
#include "store/claim.h"
#include "store/columns.h"
#include "store/list_filter.h"
#include "store/states.h"

#define KEPT "INTERVAL 30 DAY"

enum { GROUP_MAX = 160 /* of DELIVERED */, COUNT_ROWS = 20 /* of COUNT_MANY */, TRIM_MAX = 100 };

static const char ADD[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at)"
    " SELECT ?, id, ?, 1, callback_url, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM agents"
    " WHERE id = ? AND callback_url IS NOT NULL";
/* Locks the agents before their events, as changing a callback does. */
static const char CALLBACKS[] = "SELECT id, callback_url FROM agents WHERE id IN (" VALUES_16
                                ") AND callback_url IS NOT NULL ORDER BY id LOCK IN SHARE MODE";
#define ADD_ROW  "(?, ?, ?, 1, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))"
#define ADD_ROWS ADD_ROW ", " ADD_ROW ", " ADD_ROW ", " ADD_ROW
#define ADD_THESE                                                                                            \
    "INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at)" \
    " VALUES "
static const struct {
    size_t rows;
    const char *sql;
} adds[] = {
    { 16, ADD_THESE ADD_ROWS ", " ADD_ROWS ", " ADD_ROWS ", " ADD_ROWS },
    { 4, ADD_THESE ADD_ROWS },
    { 1, ADD_THESE ADD_ROW },
};
static const char ADD_SECURITY[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at,"
    " security, secret) VALUES (?, ?, ?, 1, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 1, ?)";
static const char ADD_PUSH[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, headers, body, created_at,"
    " next_at) SELECT ?, a.id, '" EVENT_TASK "', 1, p.url, p.headers, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)"
    " FROM task_pushes p JOIN agents a ON a.id = p.agent_id WHERE p.seq = ? AND p.agent_id = ?";
static const char COUNT[] = "INSERT INTO event_totals (agent_id, event_type, status, n) VALUES (?, ?, ?, ?)"
                            " ON DUPLICATE KEY UPDATE n = n + VALUES(n)";
/* With one more line, of which the last ten stay; model/event_attempt.h. */
#define LOG_WITH(line) "SUBSTRING_INDEX(CONCAT_WS('\n', attempt_log, " line "), '\n', -10)"
/* Most events are delivered at once. Of that attempt `took_ms` is all that the row does not say already: a
 * number takes the database much less than the first line of a log. */
#define DELIVERY_LINE                                                                                        \
    "IF(took_ms IS NULL, NULL, CONCAT_WS(' ', CAST(UNIX_TIMESTAMP(delivered_at) * 1000 AS UNSIGNED),"        \
    " response_status, took_ms))"
static const char RECORD[] =
    "UPDATE webhook_events SET status = ?, attempts = attempts + 1, attempt_log = " LOG_WITH(
        "?") ", took_ms = NULL, last_error = COALESCE(?, last_error),"
             " response_status = ?, delivered_at = IF(? = " SQL_EVENT_DELIVERED
             ", UTC_TIMESTAMP(3), NULL), next_at = COALESCE(?, next_at),"
             " lease_owner = NULL, lease_until = NULL WHERE seq = ? AND lease_owner = ? AND status = " SQL_EVENT_PENDING;
#define TOTAL_ROWS "(?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?)"
/* Twenty of COUNT's. */
static const char COUNT_MANY[] =
    "INSERT INTO event_totals (agent_id, event_type, status, n) VALUES " TOTAL_ROWS ", " TOTAL_ROWS
    ", " TOTAL_ROWS ", " TOTAL_ROWS " ON DUPLICATE KEY UPDATE n = n + VALUES(n)";
/* Deliveries with the same answer, which is most of what there is to record. */
static const char DELIVERED[] =
    "UPDATE webhook_events SET status = " SQL_EVENT_DELIVERED
    ", attempts = attempts + 1, response_status = ?, took_ms = ELT(FIELD(seq, " VALUES_160 "), " VALUES_160
    "),"
    " delivered_at = UTC_TIMESTAMP(3), lease_owner = NULL, lease_until = NULL WHERE seq IN"
    " (" VALUES_160 ") AND lease_owner = ? AND status = " SQL_EVENT_PENDING;
static const char OVERDUE[] =
    "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(next_at), UTC_TIMESTAMP(3)), 0)"
    " FROM webhook_events WHERE status = " SQL_EVENT_PENDING " AND next_at <= UTC_TIMESTAMP(3)";
static const char TYPES[] = "SELECT event_type FROM event_totals WHERE agent_id = ? AND status = ? AND n > 0"
                            " AND (? OR event_type <> '" EVENT_TASK "')";
static const char FAIL_PENDING[] =
    "UPDATE webhook_events SET status = " SQL_EVENT_FAILED ", last_error = ?, lease_owner = NULL,"
    " lease_until = NULL WHERE agent_id = ? AND status = " SQL_EVENT_PENDING " AND event_type = ?"
    " AND security = 0";
static const char TOTALS[] =
    "SELECT CAST(COALESCE(SUM(n), 0) AS UNSIGNED) FROM event_totals WHERE agent_id = ?"
    " AND (? = 0 OR status = ?) AND (? IS NULL OR event_type = CONVERT(? USING ascii))";

static const char SECRETS[] =
    "SELECT webhook_secret, IF(previous_secret_until > UTC_TIMESTAMP(3), previous_secret, NULL)"
    " FROM agents WHERE id = ?";
static const char ADD_ENDED[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, attempts, last_error, response_status,"
    " callback_url, body, attempt_log, created_at, delivered_at, next_at)"
    " SELECT ?, id, ?, ?, 1, ?, ?, ?, ?, ?, ?, IF(? = " SQL_EVENT_DELIVERED
    ", UTC_TIMESTAMP(3), NULL), UTC_TIMESTAMP(3) FROM agents WHERE id = ?";
/* Locks the agent before its events, as changing a callback does. */
static const char LOCK_CALLBACK[] =
    "SELECT 1 FROM agents WHERE id = ? AND callback_url IS NOT NULL LOCK IN SHARE MODE";
static const char LOCK[] = "SELECT seq, event_type, status FROM webhook_events WHERE id = ? AND agent_id = ?"
                           " FOR UPDATE";
/* Moves the last delivery into the event's log. */
static const char LOG_DELIVERY[] = "UPDATE webhook_events SET attempt_log = " LOG_WITH(
    DELIVERY_LINE) ", took_ms = NULL WHERE seq = ? AND took_ms IS NOT NULL";
/* A delivery in progress keeps its lease and is recorded as one attempt. */
#define SEND_AGAIN                                                                                           \
    "UPDATE webhook_events w JOIN agents a ON a.id = w.agent_id SET w.status = " SQL_EVENT_PENDING ","       \
    " w.attempts_before = w.attempts,"                                                                       \
    " w.last_error = NULL, w.response_status = NULL, w.delivered_at = NULL,"                                 \
    " w.callback_url = IF(w.headers IS NULL AND w.security = 0, a.callback_url, w.callback_url), w.next_at = UTC_TIMESTAMP(3)"
static const char REDELIVER[] = SEND_AGAIN " WHERE w.seq = ?";
static const char RECOVER[] = SEND_AGAIN " WHERE w.agent_id = ? AND w.status = " SQL_EVENT_FAILED
                                         " AND w.event_type = ? AND w.created_at >= ?"
                                         " AND (w.security = 0 OR w.callback_url = a.callback_url)";

/* Agents whose ended events are too many, or too old. */
static const char CROWDED[] =
    "SELECT t.agent_id, a.tier, CAST(SUM(t.n) AS UNSIGNED) FROM event_totals t JOIN agents a ON"
    " a.id = t.agent_id WHERE t.status IN (" SQL_EVENT_DELIVERED ", " SQL_EVENT_FAILED
    ") GROUP BY t.agent_id, a.tier HAVING SUM(t.n) > ?";
static const char AGED[] = "SELECT agent_id FROM webhook_events WHERE created_at < UTC_TIMESTAMP(3) - " KEPT
                           " AND status <> " SQL_EVENT_PENDING " ORDER BY created_at LIMIT 1";
static const char OLDEST[] =
    "SELECT seq, event_type, status FROM webhook_events FORCE INDEX (agent_page)"
    " WHERE agent_id = ? AND status <> " SQL_EVENT_PENDING " AND (? OR created_at < UTC_TIMESTAMP(3) - " KEPT
    ") ORDER BY seq LIMIT ? FOR UPDATE";
static const char REMOVE[] = "DELETE FROM webhook_events WHERE seq = ?";
static const char ENDED_TOTAL[] =
    "SELECT CAST(COALESCE(SUM(n), 0) AS UNSIGNED) FROM event_totals WHERE"
    " agent_id = ? AND status IN (" SQL_EVENT_DELIVERED ", " SQL_EVENT_FAILED ")";

/* Rows to skip before the ids are selected apart, as in executions.c. */
enum { PAGE_NEAR_MAX = 100 };

/* Columns of event `e`, from column `i` of `st` on, as lists show it. */
#define LISTED(FIRST, NEXT)                                                                                  \
    FIRST("w.seq", e->seq = col_u64(st, i))                                                                  \
    NEXT("w.id", e->id = col_uuid(st, i))                                                                    \
    NEXT("w.event_type", e->type = col_text(st, i, a))                                                       \
    NEXT("w.status", e->status = (enum event_status)col_u64(st, i))                                          \
    NEXT("w.attempts", e->attempts = (unsigned)col_u64(st, i))                                               \
    NEXT("w.last_error", e->last_error = col_text(st, i, a))                                                 \
    NEXT("w.response_status", e->response_status = (int)col_u64(st, i))                                      \
    NEXT("w.callback_url", e->callback_url = col_text(st, i, a))                                             \
    NEXT("w.created_at", e->created_ms = col_ms(st, i))                                                      \
    NEXT("w.delivered_at", e->delivered_ms = col_ms(st, i))                                                  \
    NEXT("IF(w.status = " SQL_EVENT_PENDING ", w.next_at, NULL)", e->next_ms = col_ms(st, i))
/* Columns of a single event. */
#define SHOWN(FIRST, NEXT)                                                                                   \
    LISTED(FIRST, NEXT)                                                                                      \
    NEXT("w.body", e->body = col_text(st, i, a))                                                             \
    NEXT("NULLIF(" LOG_WITH(DELIVERY_LINE) ", '')", e->attempt_log = col_text(st, i, a))
#define SELECT "SELECT " LISTED(FIRST_NAME, NEXT_NAME) " FROM "

#define PAGE_NEAR(index, where)                                                                              \
    SELECT "webhook_events w FORCE INDEX (" index ") WHERE " where " ORDER BY w.seq DESC LIMIT ? OFFSET ?"
#define PAGE_FAR(index, where)                                                                               \
    SELECT                                                                                                   \
    "(SELECT seq FROM webhook_events FORCE INDEX (" index ") WHERE " where                                   \
    " ORDER BY seq DESC LIMIT ? OFFSET ?) p JOIN webhook_events w ON w.seq = p.seq ORDER BY w.seq DESC"

#define BY_AGENT  "agent_page", "agent_id = ?"
#define BY_STATUS "agent_status_page", "agent_id = ? AND status = ?"
#define BY_TYPE   "agent_type_page", "agent_id = ? AND event_type = CONVERT(? USING ascii)"
#define BY_BOTH   "agent_type_page", "agent_id = ? AND event_type = CONVERT(? USING ascii) AND status = ?"
#define NEAR(by)  PAGE_NEAR(by)
#define FAR(by)   PAGE_FAR(by)

/* The agent's rows are read. */
#define OF_PERIOD                                                                                            \
    "webhook_events w FORCE INDEX (agent_page) WHERE w.agent_id = ? AND (? = 0 OR w.status = ?)"             \
    " AND (? IS NULL OR w.event_type = CONVERT(? USING ascii))" SQL_LIST_PERIOD("w.created_at")
static const char PAGE_OF_PERIOD[] = SELECT OF_PERIOD " ORDER BY w.seq DESC LIMIT ? OFFSET ?";
static const char TOTAL_OF_PERIOD[] = "SELECT COUNT(*) FROM " OF_PERIOD;

static const char GET[] =
    "SELECT " SHOWN(FIRST_NAME, NEXT_NAME) " FROM webhook_events w WHERE w.id = ? AND w.agent_id = ?";

/* [far][by type][by status] */
static const char *const pages[2][2][2] = {
    { { NEAR(BY_AGENT), NEAR(BY_STATUS) }, { NEAR(BY_TYPE), NEAR(BY_BOTH) } },
    { { FAR(BY_AGENT), FAR(BY_STATUS) }, { FAR(BY_TYPE), FAR(BY_BOTH) } },
};

/* The sums that a transaction adds to the totals: one statement each, always in the same order, so that two
 * jobs cannot wait for each other. */
struct delta {
    uint64_t agent_id;
    const char *type;
    enum event_status status;
    int64_t n;
};

static void bind_delta(struct stmt *st, const struct delta *d)
{
    bind_u64(st, d->agent_id);
    bind_text(st, d->type);
    bind_u64(st, d->status);
    bind_i64(st, d->n);
}

/* Up to COUNT_ROWS; the rest of the rows add nothing to the last. */
static bool count_many(struct db *db, const struct delta *deltas, size_t n)
{
    struct stmt *st = db_prepare(db, COUNT_MANY);
    struct delta none = deltas[n - 1];

    none.n = 0;
    for (size_t i = 0; i < COUNT_ROWS; i++)
        bind_delta(st, i < n ? &deltas[i] : &none);
    return db_exec(st) >= 0;
}

static bool event_count(struct db *db, uint64_t agent_id, const char *type, enum event_status status,
                        int64_t delta)
{
    struct delta d = { agent_id, type, status, delta };

    struct stmt *st = db_prepare(db, COUNT);

    bind_delta(st, &d);
    return db_exec(st) >= 0;
}

static int by_row(const void *x, const void *y)
{
    const struct delta *a = x, *b = y;
    int by_type = strcmp(a->type, b->type);

    if (a->agent_id != b->agent_id)
        return a->agent_id < b->agent_id ? -1 : 1;
    return by_type != 0 ? by_type : (int)a->status - (int)b->status;
}

static size_t add_delta(struct delta *sums, size_t n, struct delta d)
{
    for (size_t i = 0; i < n; i++) {
        if (by_row(&sums[i], &d) == 0) {
            sums[i].n += d.n;
            return n;
        }
    }
    sums[n] = d;
    return n + 1;
}

struct sums {
    struct delta *deltas;
    size_t n;
};

static bool write_sums(struct db *db, struct sums *sums)
{
    size_t n;

    qsort(sums->deltas, sums->n, sizeof *sums->deltas, by_row);
    for (size_t i = 0; i < sums->n; i += n) {
        n = sums->n - i < COUNT_ROWS ? sums->n - i : COUNT_ROWS;
        if (!count_many(db, sums->deltas + i, n))
            return false;
    }
    return true;
}

bool events_add(struct db *db, uint64_t agent_id, const char *type, const char *body)
{
    struct stmt *st = db_prepare(db, ADD);
    struct uuid id = uuid_random();
    int64_t added;

    bind_uuid(st, &id);
    bind_text(st, type);
    bind_text(st, body);
    bind_u64(st, agent_id);
    added = db_exec(st);
    if (added == 0)
        return true;
    return added == 1 && event_count(db, agent_id, type, EVENT_PENDING, 1) && events_wake(db, agent_id, 0);
}

static bool add_security(struct db *db, uint64_t agent_id, const struct security_event *e,
                         const struct callback *to)
{
    struct stmt *st = db_prepare(db, ADD_SECURITY);
    struct uuid id = uuid_random();

    bind_uuid(st, &id);
    bind_u64(st, agent_id);
    bind_text(st, e->type);
    bind_text(st, to->url);
    bind_text(st, e->body);
    bind_bytes(st, to->sealed_secret_len == 0 ? NULL : to->sealed_secret, to->sealed_secret_len);
    return db_exec(st) == 1;
}

bool events_add_told(struct db *db, uint64_t agent_id, const struct security_event *e,
                     const struct callback *told, int n)
{
    for (int i = 0; i < n; i++)
        if (!add_security(db, agent_id, e, &told[i]))
            return false;
    return n == 0 || (event_count(db, agent_id, e->type, EVENT_PENDING, n) && events_wake(db, agent_id, 0));
}

bool events_add_security(struct db *db, uint64_t agent_id, const struct security_event *e)
{
    struct callback told[CALLBACKS_TOLD_MAX];
    struct arena *a = arena_new();
    int n = callbacks_told(db, a, agent_id, e->delay_s, told);
    bool ok = n >= 0 && events_add_told(db, agent_id, e, told, n);

    arena_free(a);
    return ok;
}

bool events_add_push(struct db *db, uint64_t agent_id, uint64_t push_seq, const char *body)
{
    struct stmt *st = db_prepare(db, ADD_PUSH);
    struct uuid id = uuid_random();
    int64_t added;

    bind_uuid(st, &id);
    bind_text(st, body);
    bind_u64(st, push_seq);
    bind_u64(st, agent_id);
    added = db_exec(st);
    if (added == 0) /* it, or its agent, was deleted meanwhile */
        return true;
    return added == 1 && event_count(db, agent_id, EVENT_TASK, EVENT_PENDING, 1) &&
           events_wake(db, agent_id, 0);
}

/* ---- many at once ---- */

struct added {
    const struct event_draft *draft;
    const char *callback_url;
};

/* Matches the drafts whose agents have a callback. How many, or -1. */
static int drafts_match(struct db *db, struct arena *a, const struct event_draft *drafts, size_t n,
                        struct added *out)
{
    struct stmt *st = db_prepare(db, CALLBACKS);
    const char *urls[EVENTS_AT_ONCE] = { NULL };
    uint64_t ids[EVENTS_AT_ONCE];
    int count = 0;

    for (size_t i = 0; i < n; i++)
        ids[i] = drafts[i].agent_id;
    bind_ids(st, ids, n, EVENTS_AT_ONCE);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        const char *url = col_text(st, 1, a);

        for (size_t i = 0; i < n; i++)
            if (ids[i] == col_u64(st, 0))
                urls[i] = url;
    }
    for (size_t i = 0; i < n; i++)
        if (urls[i] != NULL)
            out[count++] = (struct added){ &drafts[i], urls[i] };
    return count;
}

static bool add_rows(struct db *db, const char *sql, const struct added *list, size_t n)
{
    struct stmt *st = db_prepare(db, sql);
    struct uuid ids[EVENTS_AT_ONCE];

    for (size_t i = 0; i < n; i++) {
        ids[i] = uuid_random();
        bind_uuid(st, &ids[i]);
        bind_u64(st, list[i].draft->agent_id);
        bind_text(st, list[i].draft->type);
        bind_text(st, list[i].callback_url);
        bind_text(st, list[i].draft->body);
    }
    return db_exec(st) == (int64_t)n;
}

static bool add_all(struct db *db, const struct added *list, size_t n)
{
    for (size_t i = 0, kind = 0; i < n;) {
        while (adds[kind].rows > n - i)
            kind++;
        if (!add_rows(db, adds[kind].sql, list + i, adds[kind].rows))
            return false;
        i += adds[kind].rows;
    }
    return true;
}

/* Each agent once. The totals are in the order of their agents by now. */
static bool wake_added(struct db *db, const struct sums *sums)
{
    for (size_t i = 0; i < sums->n; i++)
        if ((i == 0 || sums->deltas[i].agent_id != sums->deltas[i - 1].agent_id) &&
            !events_wake(db, sums->deltas[i].agent_id, 0))
            return false;
    return true;
}

static bool drafts_add(struct db *db, struct arena *a, const struct event_draft *drafts, size_t n)
{
    struct delta deltas[EVENTS_AT_ONCE];
    struct added list[EVENTS_AT_ONCE];
    struct sums sums = { .deltas = deltas };
    int count = drafts_match(db, a, drafts, n, list);

    if (count < 0 || !add_all(db, list, (size_t)count))
        return false;
    for (int i = 0; i < count; i++) {
        const struct event_draft *d = list[i].draft;

        sums.n = add_delta(deltas, sums.n, (struct delta){ d->agent_id, d->type, EVENT_PENDING, 1 });
    }
    return write_sums(db, &sums) && wake_added(db, &sums);
}

bool events_add_all(struct db *db, const struct event_draft *drafts, size_t n)
{
    struct arena *a;
    bool ok;

    if (n < 2)
        return n == 0 || events_add(db, drafts[0].agent_id, drafts[0].type, drafts[0].body);
    a = arena_new();
    ok = drafts_add(db, a, drafts, n);
    arena_free(a);
    return ok;
}

/* ---- recording ---- */

struct record_job {
    const struct event_result *results;
    size_t n;
    bool grouped;    /* deliveries many at a time */
    bool lease_lost; /* somewhere in a group: it is not known whose */
};

static void result_line(char out[static EVENT_ATTEMPT_LINE_MAX + 1], const struct event_result *r)
{
    struct event_attempt attempt = { r->at_ms, r->response_status, r->took_ms, r->error };

    event_attempt_line(out, &attempt);
}

/* Rows recorded: 1, 0 when the lease was lost, -1. */
static int64_t record_one(struct db *db, const struct event_result *r)
{
    struct stmt *st = db_prepare(db, RECORD);
    char line[EVENT_ATTEMPT_LINE_MAX + 1];

    result_line(line, r);
    bind_u64(st, r->status);
    bind_text(st, line);
    bind_text(st, r->error);
    bind_u64_or_null(st, (uint64_t)r->response_status);
    bind_u64(st, r->status);
    bind_ms(st, r->status == EVENT_PENDING ? r->next_ms : 0);
    bind_u64(st, r->seq);
    bind_uuid(st, r->owner);
    return db_exec(st);
}

static void bind_seqs(struct stmt *st, const struct event_result *const *group, size_t n)
{
    for (size_t i = 0; i < GROUP_MAX; i++)
        bind_u64(st, i < n ? group[i]->seq : 0);
}

/* 1 when all of the group were recorded, 0 when a lease was lost, -1. */
static int64_t record_group(struct db *db, const struct event_result *const *group, size_t n)
{
    struct stmt *st = db_prepare(db, DELIVERED);
    int64_t recorded;

    bind_u64_or_null(st, (uint64_t)group[0]->response_status);
    bind_seqs(st, group, n);
    for (size_t i = 0; i < GROUP_MAX; i++)
        bind_u64(st, i < n ? group[i]->took_ms : 0);
    bind_seqs(st, group, n);
    bind_uuid(st, group[0]->owner);
    recorded = db_exec(st);
    return recorded < 0 ? -1 : recorded == (int64_t)n;
}

static void add_up(struct sums *sums, const struct event_result *r)
{
    if (r->status == EVENT_PENDING)
        return;
    sums->n = add_delta(sums->deltas, sums->n, (struct delta){ r->agent_id, r->type, EVENT_PENDING, -1 });
    sums->n = add_delta(sums->deltas, sums->n, (struct delta){ r->agent_id, r->type, r->status, 1 });
}

static bool results_alike(const struct event_result *a, const struct event_result *b)
{
    return a->status == b->status && a->response_status == b->response_status && a->owner == b->owner;
}

/* From results[at] on: the deliveries of its claim that were answered alike, marked in `done`. */
static enum tx_verdict record_alike(struct db *db, struct record_job *job, size_t at, bool *done,
                                    struct sums *sums)
{
    const struct event_result *group[GROUP_MAX], *first = &job->results[at];
    size_t n = 0;
    int64_t recorded;

    for (size_t i = at; i < job->n && n < GROUP_MAX; i++) {
        const struct event_result *r = &job->results[i];

        if (done[i] || !results_alike(r, first))
            continue;
        done[i] = true;
        group[n++] = r;
        add_up(sums, r);
    }
    recorded = record_group(db, group, n);
    job->lease_lost = recorded == 0;
    return recorded < 0 ? TX_FAILED : recorded == 0 ? TX_ROLLBACK : TX_COMMIT;
}

static enum tx_verdict record_rows(struct db *db, struct record_job *job, bool *done, struct sums *sums)
{
    for (size_t i = 0; i < job->n; i++) {
        const struct event_result *r = &job->results[i];
        enum tx_verdict verdict = TX_COMMIT;
        int64_t recorded;

        if (done[i])
            continue;
        if (job->grouped && r->status == EVENT_DELIVERED) {
            verdict = record_alike(db, job, i, done, sums);
            if (verdict != TX_COMMIT)
                return verdict;
            continue;
        }
        recorded = record_one(db, r);
        if (recorded < 0)
            return TX_FAILED;
        if (recorded > 0)
            add_up(sums, r);
    }
    return TX_COMMIT;
}

struct retry {
    uint64_t agent_id;
    int64_t next_ms;
};

static int by_agent_and_time(const void *x, const void *y)
{
    const struct retry *a = x, *b = y;

    if (a->agent_id != b->agent_id)
        return a->agent_id < b->agent_id ? -1 : 1;
    return a->next_ms < b->next_ms ? -1 : a->next_ms > b->next_ms;
}

/* The next attempts' times, of each agent the earliest. */
static bool wake_retried(struct db *db, const struct record_job *job, struct arena *a)
{
    struct retry *retries = ARENA_ARRAY(a, struct retry, job->n + 1);
    size_t n = 0;

    for (size_t i = 0; i < job->n; i++)
        if (job->results[i].status == EVENT_PENDING)
            retries[n++] = (struct retry){ job->results[i].agent_id, job->results[i].next_ms };
    qsort(retries, n, sizeof *retries, by_agent_and_time);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && retries[i].agent_id == retries[i - 1].agent_id)
            continue;
        if (!events_wake(db, retries[i].agent_id, retries[i].next_ms))
            return false;
    }
    return true;
}

/* Notes answers of callbacks that had not answered yet: rarely any. */
static bool answers_note(struct db *db, const struct record_job *job)
{
    for (size_t i = 0; i < job->n; i++) {
        const struct event_result *r = &job->results[i];

        if (r->answered_url != NULL && !callbacks_answered(db, r->agent_id, r->answered_url))
            return false;
    }
    return true;
}

static enum tx_verdict record_tx(struct db *db, void *arg)
{
    struct record_job *job = arg;
    struct arena *a = arena_new();
    struct sums sums = { .deltas = ARENA_ARRAY(a, struct delta, 2 * job->n + 1) };
    bool *done = ARENA_ARRAY(a, bool, job->n + 1);
    enum tx_verdict verdict = record_rows(db, job, done, &sums);

    if (verdict == TX_COMMIT && !(answers_note(db, job) && write_sums(db, &sums) && wake_retried(db, job, a)))
        verdict = TX_FAILED;
    arena_free(a);
    return verdict;
}

bool events_record(struct db *db, const struct event_result *results, size_t n)
{
    struct record_job job = { .results = results, .n = n, .grouped = true };
    enum tx_result result = db_transact(db, record_tx, &job);

    if (result == TX_REFUSED && job.lease_lost) {
        job.grouped = false;
        result = db_transact(db, record_tx, &job);
    }
    return result == TX_DONE;
}

int64_t events_overdue(struct db *db)
{
    struct stmt *st = db_prepare(db, OVERDUE);

    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}

static bool fail_type(struct db *db, uint64_t agent_id, const char *type, const char *why)
{
    struct stmt *st = db_prepare(db, FAIL_PENDING);
    int64_t failed;

    bind_text(st, why);
    bind_u64(st, agent_id);
    bind_text(st, type);
    failed = db_exec(st);
    return failed >= 0 && event_count(db, agent_id, type, EVENT_PENDING, -failed) &&
           event_count(db, agent_id, type, EVENT_FAILED, failed);
}

/* The types of the agent's events with this status; in the arena. How many, or -1. */
static int types_read(struct db *db, struct arena *a, uint64_t agent_id, enum event_status status,
                      bool pushes, const char ***out)
{
    struct stmt *st = db_prepare(db, TYPES);
    int n = 0;

    *out = NULL;
    bind_u64(st, agent_id);
    bind_u64(st, status);
    bind_u64(st, pushes);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] = col_text(st, 0, a);
    }
    return n;
}

bool events_fail_pending(struct db *db, uint64_t agent_id, bool pushes, const char *why)
{
    struct arena *a = arena_new();
    const char **types;
    int n = types_read(db, a, agent_id, EVENT_PENDING, pushes, &types);
    bool ok = n >= 0;

    for (int i = 0; ok && i < n; i++)
        ok = fail_type(db, agent_id, types[i], why);
    arena_free(a);
    /* Conflicts with a process that makes an event due on another node meanwhile. */
    return ok && events_wake(db, agent_id, 0);
}

static struct stmt *filter_prepare(struct db *db, const char *sql, uint64_t agent_id,
                                   const struct event_filter *f)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_u64(st, f->status);
    bind_u64(st, f->status);
    bind_ascii(st, f->type);
    bind_ascii(st, f->type);
    if (!list_period_is_open(&f->created))
        bind_list_period(st, &f->created);
    return st;
}

static bool events_total(struct db *db, uint64_t agent_id, const struct event_filter *f, uint64_t *total)
{
    struct stmt *st =
        filter_prepare(db, list_period_is_open(&f->created) ? TOTALS : TOTAL_OF_PERIOD, agent_id, f);

    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *total = col_u64(st, 0);
    return true;
}

static void read_listed(struct stmt *st, struct arena *a, struct event *e)
{
    unsigned i = 0;

    *e = (struct event){ .seq = 0 };
    LISTED(READ_FIRST, READ_NEXT)
}

int events_page(struct db *db, struct arena *a, uint64_t agent_id, const struct event_filter *f,
                const struct page *p, struct event *out, uint64_t *total)
{
    struct stmt *st;
    int n = 0;

    if (!events_total(db, agent_id, f, total))
        return -1;
    if (list_period_is_open(&f->created)) {
        st = db_prepare(db, pages[p->offset > PAGE_NEAR_MAX][f->type != NULL][f->status != 0]);
        bind_u64(st, agent_id);
        if (f->type != NULL)
            bind_ascii(st, f->type);
        if (f->status != 0)
            bind_u64(st, f->status);
    } else {
        st = filter_prepare(db, PAGE_OF_PERIOD, agent_id, f);
    }
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++]);
    return n;
}

enum lookup events_secrets(struct db *db, struct event *e)
{
    struct stmt *st = db_prepare(db, SECRETS);
    enum lookup found;

    bind_u64(st, e->agent_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    e->sealed_secret_len = col_sealed(st, 0, e->sealed_secret);
    e->sealed_former_len = col_sealed(st, 1, e->sealed_former);
    return LOOKUP_FOUND;
}

/* ---- the end of events ---- */

struct removal {
    uint64_t agent_id;
    bool any_age; /* else those alone that are too old */
    uint64_t max;
    uint64_t removed; /* set anew by each run */
};

struct gone {
    uint64_t seq;
    struct delta delta;
};

/* The oldest that have ended; how many, or -1. */
static int64_t read_oldest(struct db *db, struct arena *a, const struct removal *r, struct gone *out)
{
    struct stmt *st = db_prepare(db, OLDEST);
    int64_t n = 0;

    bind_u64(st, r->agent_id);
    bind_u64(st, r->any_age);
    bind_u64(st, r->max);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct delta d = { r->agent_id, col_text(st, 1, a), (enum event_status)col_u64(st, 2), -1 };

        out[n++] = (struct gone){ col_u64(st, 0), d };
    }
    return n;
}

static bool remove_all(struct db *db, struct arena *a, struct removal *r)
{
    struct gone *list = ARENA_ARRAY(a, struct gone, r->max + 1);
    struct sums sums = { .deltas = ARENA_ARRAY(a, struct delta, r->max + 1) };
    int64_t n = read_oldest(db, a, r, list);

    for (int64_t i = 0; i < n; i++) {
        struct stmt *st = db_prepare(db, REMOVE);

        bind_u64(st, list[i].seq);
        if (db_exec(st) < 0)
            return false;
        sums.n = add_delta(sums.deltas, sums.n, list[i].delta);
    }
    r->removed = n > 0 ? (uint64_t)n : 0;
    return n >= 0 && write_sums(db, &sums);
}

static enum tx_verdict removal_tx(struct db *db, void *arg)
{
    struct arena *a = arena_new();
    bool ok = remove_all(db, a, arg);

    arena_free(a);
    return ok ? TX_COMMIT : TX_FAILED;
}

int64_t events_expire(struct db *db, uint64_t max)
{
    struct removal r = { .max = max };
    struct stmt *st = db_prepare(db, AGED);
    enum lookup found = db_one(st);

    if (found != LOOKUP_FOUND)
        return found;
    r.agent_id = col_u64(st, 0);
    return db_transact(db, removal_tx, &r) == TX_DONE ? (int64_t)r.removed : -1;
}

int events_crowded(struct db *db, struct arena *a, uint64_t least, struct event_crowd **out)
{
    struct stmt *st = db_prepare(db, CROWDED);
    int n = 0;

    *out = NULL;
    bind_u64(st, least);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        (*out)[n++] = (struct event_crowd){ col_u64(st, 0), col_text(st, 1, a), col_u64(st, 2) };
    }
    return n;
}

int64_t events_trim(struct db *db, uint64_t agent_id, uint64_t max)
{
    struct removal r = { .agent_id = agent_id, .any_age = true, .max = max };

    return db_transact(db, removal_tx, &r) == TX_DONE ? (int64_t)r.removed : -1;
}

/* ---- events that end at once ---- */

struct ended_job {
    const struct event *event;
    const struct event_result *result;
    uint64_t keep;
};

/* The agent's own calls make these, as many as it likes. */
static bool make_room(struct db *db, const struct ended_job *job)
{
    struct stmt *st = db_prepare(db, ENDED_TOTAL);
    struct removal r = { .agent_id = job->event->agent_id, .any_age = true };
    uint64_t n;

    bind_u64(st, r.agent_id);
    if (db_one(st) != LOOKUP_FOUND)
        return false;
    n = col_u64(st, 0);
    r.max = n > job->keep ? n - job->keep : 0;
    if (r.max > TRIM_MAX)
        r.max = TRIM_MAX;
    return r.max == 0 || removal_tx(db, &r) == TX_COMMIT;
}

static enum tx_verdict add_ended_tx(struct db *db, void *arg)
{
    const struct ended_job *job = arg;
    const struct event *e = job->event;
    const struct event_result *r = job->result;
    struct stmt *st = db_prepare(db, ADD_ENDED);
    char line[EVENT_ATTEMPT_LINE_MAX + 1];
    int64_t added;

    result_line(line, r);
    bind_uuid(st, &e->id);
    bind_text(st, e->type);
    bind_u64(st, r->status);
    bind_text(st, r->error);
    bind_u64_or_null(st, (uint64_t)r->response_status);
    bind_text(st, e->callback_url);
    bind_text(st, e->body);
    bind_text(st, line);
    bind_ms(st, e->created_ms);
    bind_u64(st, r->status);
    bind_u64(st, e->agent_id);
    added = db_exec(st);
    if (added < 0 ||
        (added == 1 && !(event_count(db, e->agent_id, e->type, r->status, 1) && make_room(db, job))))
        return TX_FAILED;
    if (r->status == EVENT_DELIVERED && !callbacks_answered(db, e->agent_id, e->callback_url))
        return TX_FAILED;
    return TX_COMMIT; /* no row when the agent was deleted meanwhile */
}

bool events_add_ended(struct db *db, const struct event *e, const struct event_result *r, uint64_t keep)
{
    struct ended_job job = { e, r, keep };

    return db_transact(db, add_ended_tx, &job) == TX_DONE;
}

static void read_shown(struct stmt *st, struct arena *a, struct event *e)
{
    unsigned i = 0;

    *e = (struct event){ .seq = 0 };
    SHOWN(READ_FIRST, READ_NEXT)
}

enum lookup events_get(struct db *db, struct arena *a, uint64_t agent_id, struct uuid id, struct event *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_uuid(st, &id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_shown(st, a, out);
    return found;
}

/* LOOKUP_NONE: there is no callback, or no agent. */
static enum lookup lock_callback(struct db *db, uint64_t agent_id)
{
    struct stmt *st = db_prepare(db, LOCK_CALLBACK);

    bind_u64(st, agent_id);
    return db_one(st);
}

static bool send_again(struct db *db, uint64_t seq, int64_t *done)
{
    struct stmt *st = db_prepare(db, LOG_DELIVERY);

    bind_u64(st, seq);
    if (db_exec(st) < 0)
        return false;
    st = db_prepare(db, REDELIVER);
    bind_u64(st, seq);
    *done = db_exec(st);
    return *done >= 0;
}

enum db_update events_redeliver(struct db *db, uint64_t agent_id, struct uuid id)
{
    enum lookup found = lock_callback(db, agent_id);
    char type[EVENT_TYPE_MAX + 1];
    enum event_status was;
    struct stmt *st;
    int64_t done;
    uint64_t seq;

    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? DB_ERROR : UNCHANGED;
    st = db_prepare(db, LOCK);
    bind_uuid(st, &id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? DB_ERROR : UNCHANGED;
    seq = col_u64(st, 0);
    col_string(st, 1, type, sizeof type);
    was = (enum event_status)col_u64(st, 2);
    if (!send_again(db, seq, &done))
        return DB_ERROR;
    if (done != 1)
        return UNCHANGED;
    /* From pending to pending adds up to nothing. */
    return event_count(db, agent_id, type, was, -1) && event_count(db, agent_id, type, EVENT_PENDING, 1) &&
                   events_wake(db, agent_id, 0)
               ? UPDATED
               : DB_ERROR;
}

static bool recover_type(struct db *db, uint64_t agent_id, const char *type, int64_t since_ms,
                         uint64_t *recovered)
{
    struct stmt *st = db_prepare(db, RECOVER);
    int64_t n;

    bind_u64(st, agent_id);
    bind_text(st, type);
    bind_ms(st, since_ms);
    n = db_exec(st);
    if (n < 0)
        return false;
    *recovered += (uint64_t)n;
    return event_count(db, agent_id, type, EVENT_PENDING, n) &&
           event_count(db, agent_id, type, EVENT_FAILED, -n);
}

enum db_update events_recover(struct db *db, uint64_t agent_id, int64_t since_ms, uint64_t *recovered)
{
    enum lookup found = lock_callback(db, agent_id);
    struct arena *a;
    const char **types;
    bool ok;
    int n;

    *recovered = 0;
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_ERROR ? DB_ERROR : UNCHANGED;
    a = arena_new();
    n = types_read(db, a, agent_id, EVENT_FAILED, true, &types);
    ok = n >= 0;
    for (int i = 0; ok && i < n; i++)
        ok = recover_type(db, agent_id, types[i], since_ms, recovered);
    arena_free(a);
    return ok && events_wake(db, agent_id, 0) ? UPDATED : DB_ERROR;
}
