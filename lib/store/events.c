#include "store/events.h"

/* How far one claim looks along the queue of due events, in search of agents that are below their share. */
#define CLAIM_WINDOW "2000"

static const char ADD[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at)"
    " SELECT ?, id, ?, 1, callback_url, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM agents"
    " WHERE id = ? AND callback_url IS NOT NULL";
static const char COUNT[] = "INSERT INTO event_totals (agent_id, event_type, status, n) VALUES (?, ?, ?, ?)"
                            " ON DUPLICATE KEY UPDATE n = n + VALUES(n)";
static const char CLAIM[] =
    "UPDATE webhook_events w JOIN (SELECT seq FROM (SELECT seq, next_at,"
    " ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY next_at, seq) AS turn FROM"
    " (SELECT seq, agent_id, next_at FROM webhook_events WHERE status = 1 AND next_at <= UTC_TIMESTAMP(3)"
    " AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3)) ORDER BY next_at, seq LIMIT " CLAIM_WINDOW
    ") due) turns WHERE turn <= ? ORDER BY turn, next_at, seq LIMIT ?) chosen ON chosen.seq = w.seq"
    " SET w.lease_owner = ?, w.lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE w.status = 1 AND (w.lease_until IS NULL OR w.lease_until < UTC_TIMESTAMP(3))";
static const char CLAIMED[] =
    "SELECT w.seq, w.id, w.agent_id, w.event_type, w.attempts, w.callback_url, w.body, w.created_at,"
    " a.webhook_secret, IF(a.former_until > UTC_TIMESTAMP(3), a.former_secret, NULL)"
    " FROM webhook_events w LEFT JOIN agents a ON a.id = w.agent_id WHERE w.lease_owner = ? AND w.status = 1"
    " ORDER BY w.next_at, w.seq";
static const char RECORD[] =
    "UPDATE webhook_events SET status = ?, attempts = attempts + 1, last_error = COALESCE(?, last_error),"
    " response_status = ?, delivered_at = IF(? = 2, UTC_TIMESTAMP(3), NULL), next_at = COALESCE(?, next_at),"
    " lease_owner = NULL, lease_until = NULL WHERE seq = ? AND lease_owner = ? AND status = 1";
static const char RELEASE[] =
    "UPDATE webhook_events SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?";
static const char OVERDUE[] = "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(next_at), UTC_TIMESTAMP(3)), 0)"
                              " FROM webhook_events WHERE status = 1 AND next_at <= UTC_TIMESTAMP(3)";
static const char PENDING_BY_TYPE[] =
    "SELECT event_type, n FROM event_totals WHERE agent_id = ? AND status = 1";
static const char FAIL_PENDING[] = "UPDATE webhook_events SET status = 3, last_error = ?, lease_owner = NULL,"
                                   " lease_until = NULL WHERE agent_id = ? AND status = 1 AND event_type = ?";
static const char TOTALS[] =
    "SELECT CAST(COALESCE(SUM(n), 0) AS UNSIGNED) FROM event_totals WHERE agent_id = ?"
    " AND (? = 0 OR status = ?) AND (? IS NULL OR event_type = ?)";

static const char SECRETS[] =
    "SELECT webhook_secret, IF(former_until > UTC_TIMESTAMP(3), former_secret, NULL)"
    " FROM agents WHERE id = ?";
static const char ADD_ENDED[] =
    "INSERT INTO webhook_events (id, agent_id, event_type, status, attempts, last_error, response_status,"
    " callback_url, body, created_at, delivered_at, next_at) SELECT ?, id, ?, ?, 1, ?, ?, ?, ?, ?,"
    " IF(? = 2, UTC_TIMESTAMP(3), NULL), UTC_TIMESTAMP(3) FROM agents WHERE id = ?";
/* The agent before its events, as where a callback is changed. */
static const char LOCK_CALLBACK[] =
    "SELECT 1 FROM agents WHERE id = ? AND callback_url IS NOT NULL LOCK IN SHARE MODE";
static const char LOCK[] = "SELECT seq, event_type, status FROM webhook_events WHERE id = ? AND agent_id = ?"
                           " FOR UPDATE";
/* What is under way keeps its lease and is recorded as one attempt. */
static const char REDELIVER[] =
    "UPDATE webhook_events w JOIN agents a ON a.id = w.agent_id SET w.status = 1, w.attempts = 0,"
    " w.last_error = NULL, w.response_status = NULL, w.delivered_at = NULL,"
    " w.callback_url = a.callback_url, w.next_at = UTC_TIMESTAMP(3)"
    " WHERE w.seq = ?";

/* Rows to skip before the ids are selected apart, as in swaps.c. */
enum { PAGE_NEAR_MAX = 100 };

#define PAGE_COLUMNS                                                                                         \
    "SELECT w.seq, w.id, w.event_type, w.status, w.attempts, w.last_error, w.response_status, "              \
    "w.callback_url,"                                                                                        \
    " w.created_at, w.delivered_at FROM "
#define PAGE_NEAR(index, where)                                                                              \
    PAGE_COLUMNS "webhook_events w FORCE INDEX (" index ") WHERE " where                                     \
                 " ORDER BY w.seq DESC LIMIT ? OFFSET ?"
#define PAGE_FAR(index, where)                                                                               \
    PAGE_COLUMNS                                                                                             \
    "(SELECT seq FROM webhook_events FORCE INDEX (" index ") WHERE " where                                   \
    " ORDER BY seq DESC LIMIT ? OFFSET ?) p JOIN webhook_events w ON w.seq = p.seq ORDER BY w.seq DESC"

#define BY_AGENT  "agent_page", "agent_id = ?"
#define BY_STATUS "agent_status_page", "agent_id = ? AND status = ?"
#define BY_TYPE   "agent_type_page", "agent_id = ? AND event_type = ?"
#define BY_BOTH   "agent_type_page", "agent_id = ? AND event_type = ? AND status = ?"
#define NEAR(by)  PAGE_NEAR(by)
#define FAR(by)   PAGE_FAR(by)

static const char GET[] = PAGE_COLUMNS "webhook_events w WHERE w.id = ? AND w.agent_id = ?";

/* [far][by type][by status] */
static const char *const pages[2][2][2] = {
    { { NEAR(BY_AGENT), NEAR(BY_STATUS) }, { NEAR(BY_TYPE), NEAR(BY_BOTH) } },
    { { FAR(BY_AGENT), FAR(BY_STATUS) }, { FAR(BY_TYPE), FAR(BY_BOTH) } },
};

static bool count(struct db *db, uint64_t agent_id, const char *type, enum event_status status, int64_t delta)
{
    struct stmt *st = db_prepare(db, COUNT);

    bind_u64(st, agent_id);
    bind_text(st, type);
    bind_u64(st, status);
    bind_i64(st, delta);
    return db_exec(st) >= 0;
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
    return added == 0 || (added == 1 && count(db, agent_id, type, EVENT_PENDING, 1));
}

static unsigned read_sealed(struct stmt *st, unsigned i, struct arena *a, uint8_t out[static 128])
{
    size_t n;
    const uint8_t *p = col_bytes(st, i, a, &n);

    if (p == NULL || n > 128)
        return 0;
    memcpy(out, p, n);
    return (unsigned)n;
}

static void read_claimed(struct stmt *st, struct arena *a, struct event *e)
{
    *e = (struct event){
        .seq = col_u64(st, 0),
        .id = col_uuid(st, 1),
        .agent_id = col_u64(st, 2),
        .type = col_text(st, 3, a),
        .status = EVENT_PENDING,
        .attempts = (unsigned)col_u64(st, 4),
        .callback_url = col_text(st, 5, a),
        .body = col_text(st, 6, a),
        .created_ms = col_ms(st, 7),
    };
    e->sealed_secret_len = read_sealed(st, 8, a, e->sealed_secret);
    e->sealed_former_len = read_sealed(st, 9, a, e->sealed_former);
}

int events_claim(struct db *db, struct arena *a, const struct uuid *owner, unsigned lease_ms,
                 unsigned per_agent, struct event *out, size_t max)
{
    struct stmt *st = db_prepare(db, CLAIM);
    int64_t claimed;
    int n = 0;

    bind_u64(st, per_agent);
    bind_u64(st, max);
    bind_uuid(st, owner);
    bind_u64(st, (lease_ms + 999) / 1000);
    claimed = db_exec(st);
    if (claimed <= 0)
        return (int)claimed;
    st = db_prepare(db, CLAIMED);
    bind_uuid(st, owner);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        if ((size_t)n < max)
            read_claimed(st, a, &out[n++]);
    return n;
}

struct record_job {
    const struct uuid *owner;
    const struct event_result *results;
    size_t n;
};

/* What a transaction adds to the kept totals, summed up first: one statement each, always in the same order,
 * so that two jobs cannot wait for each other. */
struct delta {
    uint64_t agent_id;
    const char *type;
    enum event_status status;
    int64_t n;
};

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

/* Rows recorded: 1, 0 when the lease was lost, -1. */
static int64_t record_one(struct db *db, const struct uuid *owner, const struct event_result *r)
{
    struct stmt *st = db_prepare(db, RECORD);

    bind_u64(st, r->status);
    bind_text(st, r->error);
    bind_u64_or_null(st, (uint64_t)r->response_status);
    bind_u64(st, r->status);
    bind_ms(st, r->status == EVENT_PENDING ? r->next_ms : 0);
    bind_u64(st, r->seq);
    bind_uuid(st, owner);
    return db_exec(st);
}

static enum tx_verdict record_all(struct db *db, const struct record_job *job, struct delta *sums)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n; i++) {
        const struct event_result *r = &job->results[i];
        int64_t recorded = record_one(db, job->owner, r);

        if (recorded < 0)
            return TX_FAILED;
        if (recorded == 0 || r->status == EVENT_PENDING)
            continue;
        n = add_delta(sums, n, (struct delta){ r->agent_id, r->type, EVENT_PENDING, -1 });
        n = add_delta(sums, n, (struct delta){ r->agent_id, r->type, r->status, 1 });
    }
    qsort(sums, n, sizeof *sums, by_row);
    for (size_t i = 0; i < n; i++)
        if (!count(db, sums[i].agent_id, sums[i].type, sums[i].status, sums[i].n))
            return TX_FAILED;
    return TX_COMMIT;
}

static enum tx_verdict record_tx(struct db *db, void *arg)
{
    const struct record_job *job = arg;
    struct arena *a = arena_new();
    enum tx_verdict verdict = record_all(db, job, ARENA_ARRAY(a, struct delta, 2 * job->n + 1));

    arena_free(a);
    return verdict;
}

bool events_record(struct db *db, const struct uuid *owner, const struct event_result *results, size_t n)
{
    struct record_job job = { owner, results, n };

    return db_transact(db, record_tx, &job) == TX_DONE;
}

bool events_release(struct db *db, const struct uuid *owner)
{
    struct stmt *st = db_prepare(db, RELEASE);

    bind_uuid(st, owner);
    return db_exec(st) >= 0;
}

int64_t events_overdue(struct db *db)
{
    struct stmt *st = db_prepare(db, OVERDUE);

    return db_one(st) == 1 ? col_i64(st, 0) : -1;
}

static bool fail_type(struct db *db, uint64_t agent_id, const char *type, const char *why)
{
    struct stmt *st = db_prepare(db, FAIL_PENDING);
    int64_t failed;

    bind_text(st, why);
    bind_u64(st, agent_id);
    bind_text(st, type);
    failed = db_exec(st);
    return failed >= 0 && count(db, agent_id, type, EVENT_PENDING, -failed) &&
           count(db, agent_id, type, EVENT_FAILED, failed);
}

bool events_fail_pending(struct db *db, uint64_t agent_id, const char *why)
{
    enum { MAX_TYPES = 16 };
    struct arena *a = arena_new();
    struct stmt *st = db_prepare(db, PENDING_BY_TYPE);
    const char *types[MAX_TYPES];
    size_t n = 0;
    bool ok;

    bind_u64(st, agent_id);
    ok = db_query(st);
    while (ok && db_next(st))
        if (n < MAX_TYPES && col_i64(st, 1) > 0)
            types[n++] = col_text(st, 0, a);
    for (size_t i = 0; ok && i < n; i++)
        ok = fail_type(db, agent_id, types[i], why);
    arena_free(a);
    return ok;
}

static bool total_of(struct db *db, uint64_t agent_id, const struct event_filter *f, uint64_t *total)
{
    struct stmt *st = db_prepare(db, TOTALS);

    bind_u64(st, agent_id);
    bind_u64(st, f->status);
    bind_u64(st, f->status);
    bind_text(st, f->type);
    bind_text(st, f->type);
    if (db_one(st) != 1)
        return false;
    *total = col_u64(st, 0);
    return true;
}

static void read_listed(struct stmt *st, struct arena *a, struct event *e)
{
    *e = (struct event){
        .seq = col_u64(st, 0),
        .id = col_uuid(st, 1),
        .type = col_text(st, 2, a),
        .status = (enum event_status)col_u64(st, 3),
        .attempts = (unsigned)col_u64(st, 4),
        .last_error = col_text(st, 5, a),
        .response_status = (int)col_u64(st, 6),
        .callback_url = col_text(st, 7, a),
        .created_ms = col_ms(st, 8),
        .delivered_ms = col_ms(st, 9),
    };
}

int events_page(struct db *db, struct arena *a, uint64_t agent_id, const struct event_filter *f,
                const struct page *p, struct event *out, uint64_t *total)
{
    struct stmt *st;
    int n = 0;

    if (!total_of(db, agent_id, f, total))
        return -1;
    st = db_prepare(db, pages[p->offset > PAGE_NEAR_MAX][f->type != NULL][f->status != 0]);
    bind_u64(st, agent_id);
    if (f->type != NULL)
        bind_text(st, f->type);
    if (f->status != 0)
        bind_u64(st, f->status);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed(st, a, &out[n++]);
    return n;
}

int events_secrets(struct db *db, struct event *e)
{
    struct stmt *st = db_prepare(db, SECRETS);
    struct arena *a;
    int found;

    bind_u64(st, e->agent_id);
    found = db_one(st);
    if (found != 1)
        return found;
    a = arena_new();
    e->sealed_secret_len = read_sealed(st, 0, a, e->sealed_secret);
    e->sealed_former_len = read_sealed(st, 1, a, e->sealed_former);
    arena_free(a);
    return 1;
}

struct ended_job {
    const struct event *event;
    const struct event_result *result;
};

static enum tx_verdict add_ended_tx(struct db *db, void *arg)
{
    const struct ended_job *job = arg;
    const struct event *e = job->event;
    const struct event_result *r = job->result;
    struct stmt *st = db_prepare(db, ADD_ENDED);
    int64_t added;

    bind_uuid(st, &e->id);
    bind_text(st, e->type);
    bind_u64(st, r->status);
    bind_text(st, r->error);
    bind_u64_or_null(st, (uint64_t)r->response_status);
    bind_text(st, e->callback_url);
    bind_text(st, e->body);
    bind_ms(st, e->created_ms);
    bind_u64(st, r->status);
    bind_u64(st, e->agent_id);
    added = db_exec(st);
    if (added < 0 || (added == 1 && !count(db, e->agent_id, e->type, r->status, 1)))
        return TX_FAILED;
    return TX_COMMIT; /* no row when the agent was deleted meanwhile */
}

bool events_add_ended(struct db *db, const struct event *e, const struct event_result *r)
{
    struct ended_job job = { e, r };

    return db_transact(db, add_ended_tx, &job) == TX_DONE;
}

int events_get(struct db *db, struct arena *a, uint64_t agent_id, struct uuid id, struct event *out)
{
    struct stmt *st = db_prepare(db, GET);
    int found;

    bind_uuid(st, &id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == 1)
        read_listed(st, a, out);
    return found;
}

int events_redeliver(struct db *db, uint64_t agent_id, struct uuid id)
{
    struct stmt *st = db_prepare(db, LOCK_CALLBACK);
    char type[EVENT_TYPE_MAX + 1];
    enum event_status was;
    int64_t done;
    uint64_t seq;
    int found;

    bind_u64(st, agent_id);
    found = db_one(st);
    if (found != 1)
        return found;
    st = db_prepare(db, LOCK);
    bind_uuid(st, &id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found != 1)
        return found;
    seq = col_u64(st, 0);
    col_string(st, 1, type, sizeof type);
    was = (enum event_status)col_u64(st, 2);
    st = db_prepare(db, REDELIVER);
    bind_u64(st, seq);
    done = db_exec(st);
    if (done != 1)
        return (int)done;
    /* From pending to pending adds up to nothing. */
    return count(db, agent_id, type, was, -1) && count(db, agent_id, type, EVENT_PENDING, 1) ? 1 : -1;
}
