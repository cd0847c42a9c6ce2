#include "store/claim.h"

#include "store/columns.h"
#include "store/states.h"

#include <string.h>

enum {
    AGENTS = 16,   /* of one claim */
    SEQS = 160,    /* rows of one statement */
    AGAIN_MS = 50, /* until an agent that has all it may is looked at again */
};

#define NEVER  "TIMESTAMP'9999-12-31 00:00:00'"
#define LEASED "lease_until > TIMESTAMP'1000-01-01 00:00:00'" /* as a range of the index */

/* Always a write: a claim on another node that settles the queue without this event must collide with it. */
static const char WAKE[] =
    "INSERT INTO event_queues (agent_id, next_at) VALUES (?, COALESCE(?, UTC_TIMESTAMP(3)))"
    " ON DUPLICATE KEY UPDATE next_at = LEAST(next_at, VALUES(next_at)), wakes = wakes + 1";
/* With the agents' secrets, sealed: the previous one counts until its time; and whether a callback of theirs
 * has not answered yet. */
static const char LINE[] =
    "SELECT q.agent_id, a.webhook_secret, IF(a.previous_secret_until > UTC_TIMESTAMP(3),"
    " a.previous_secret, NULL), a.uuid,"
    " EXISTS (SELECT 1 FROM callbacks c WHERE c.agent_id = q.agent_id AND c.answered_at IS NULL"
    " AND c.callback_url IS NOT NULL)"
    " FROM event_queues q FORCE INDEX (due) LEFT JOIN agents a ON a.id = q.agent_id"
    " WHERE q.next_at <= UTC_TIMESTAMP(3) ORDER BY q.next_at, q.agent_id LIMIT 16";
/* By the primary key, which is the order in which all programs lock these rows. */
static const char LOCK[] =
    "SELECT agent_id FROM event_queues FORCE INDEX (PRIMARY) WHERE agent_id IN (" VALUES_16
    ") AND next_at <= UTC_TIMESTAMP(3) ORDER BY agent_id FOR UPDATE";
static const char EXPIRE[] =
    "UPDATE webhook_events FORCE INDEX (leased) SET lease_owner = NULL, lease_until = NULL"
    " WHERE agent_id IN (" VALUES_16 ") AND status = " SQL_EVENT_PENDING
    " AND lease_until <= UTC_TIMESTAMP(3)";
static const char LEASES[] =
    "SELECT agent_id, CAST(SUM(lease_until > UTC_TIMESTAMP(3)) AS UNSIGNED), COUNT(*)"
    " FROM webhook_events FORCE INDEX (leased) WHERE agent_id IN (" VALUES_16
    ") AND status = " SQL_EVENT_PENDING " AND " LEASED " GROUP BY agent_id";
/* Columns of event `e`, from column `i` of `st` on, as it is delivered. */
#define READY_EVENT(FIRST, NEXT)                                                                             \
    FIRST("agent_id", e->agent_id = col_u64(st, i))                                                          \
    NEXT("seq", e->seq = col_u64(st, i))                                                                     \
    NEXT("id", e->id = col_uuid(st, i))                                                                      \
    NEXT("event_type", e->type = col_text(st, i, a))                                                         \
    NEXT("attempts - attempts_before", e->attempts = (unsigned)col_u64(st, i))                               \
    NEXT("callback_url", e->callback_url = col_text(st, i, a))                                               \
    NEXT("body", e->body = col_text(st, i, a))                                                               \
    NEXT("created_at", e->created_ms = col_ms(st, i))                                                        \
    NEXT("headers", e->sealed_headers = col_bytes(st, i, a, &headers_len))                                   \
    NEXT("secret", e->sealed_own_len = col_sealed(st, i, e->sealed_own))
#define READY_COLUMNS READY_EVENT(FIRST_NAME, NEXT_NAME)
#define READY_1                                                                                              \
    "(SELECT " READY_COLUMNS " FROM webhook_events FORCE INDEX (leased) WHERE agent_id = ?"                  \
    " AND status = " SQL_EVENT_PENDING " AND lease_until IS NULL AND next_at <= UTC_TIMESTAMP(3)"            \
    " ORDER BY next_at, seq LIMIT ?)"
#define READY_4 READY_1 " UNION ALL " READY_1 " UNION ALL " READY_1 " UNION ALL " READY_1
static const char READY[] = READY_4 " UNION ALL " READY_4 " UNION ALL " READY_4 " UNION ALL " READY_4;
static const char LEASE[] =
    "UPDATE webhook_events SET lease_owner = ?, lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE seq IN (" VALUES_160 ") AND status = " SQL_EVENT_PENDING " AND lease_until IS NULL";
/* An agent with more due events goes to the end of the queue. */
static const char BACK[] = "UPDATE event_queues SET next_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND"
                           " WHERE agent_id IN (" VALUES_16 ")";
static const char SETTLE[] =
    "UPDATE event_queues SET next_at = LEAST("
    "COALESCE((SELECT next_at FROM webhook_events FORCE INDEX (leased) WHERE agent_id = ?"
    " AND status = " SQL_EVENT_PENDING " AND lease_until IS NULL ORDER BY next_at LIMIT 1), " NEVER "),"
    " COALESCE((SELECT lease_until FROM webhook_events FORCE INDEX (leased) WHERE agent_id = ?"
    " AND status = " SQL_EVENT_PENDING " AND " LEASED " ORDER BY lease_until LIMIT 1), " NEVER
    ")) WHERE agent_id = ?";
static const char WAIT[] = "SELECT GREATEST(TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), MIN(next_at)) DIV "
                           "1000, 0) FROM event_queues";
static const char RELEASE[] =
    "UPDATE webhook_events SET lease_owner = NULL, lease_until = NULL"
    " WHERE seq IN (" VALUES_160 ") AND lease_owner = ? AND status = " SQL_EVENT_PENDING;

/* One agent's part in a claim. */
struct turn {
    uint64_t agent_id;     /* 0: a free place */
    struct event template; /* what all of its events have in common: the secrets */
    unsigned share, live, limit;
    unsigned ready, taken;
    struct event *events; /* `limit` places */
};

struct claim {
    const struct claim_in *in;
    struct arena *arena;
    struct turn turns[AGENTS]; /* those who have waited for longest first */
    struct event *out;         /* what was chosen */
    size_t n;
};

bool events_wake(struct db *db, uint64_t agent_id, int64_t at_ms)
{
    struct stmt *st = db_prepare(db, WAKE);

    bind_u64(st, agent_id);
    bind_ms(st, at_ms);
    return db_exec(st) >= 0;
}

/* ---- choosing ---- */

static void bind_agents(struct stmt *st, const struct claim *c)
{
    for (unsigned i = 0; i < AGENTS; i++)
        bind_u64(st, c->turns[i].agent_id);
}

static struct turn *turn_of(struct claim *c, uint64_t agent_id)
{
    for (unsigned i = 0; i < AGENTS; i++)
        if (c->turns[i].agent_id == agent_id)
            return &c->turns[i];
    return NULL;
}

static bool read_queue(struct db *db, struct claim *c)
{
    struct stmt *st = db_prepare(db, LINE);

    if (!db_query(st))
        return false;
    for (unsigned i = 0; db_next(st) && i < AGENTS; i++) {
        struct event *e = &c->turns[i].template;

        c->turns[i].agent_id = col_u64(st, 0);
        e->sealed_secret_len = col_sealed(st, 1, e->sealed_secret);
        e->sealed_former_len = col_sealed(st, 2, e->sealed_former);
        e->agent = col_uuid(st, 3);
        e->unheard = col_u64(st, 4) != 0;
    }
    return true;
}

/* Drops those who were served between reading the queue and locking it. */
static bool lock_queue(struct db *db, struct claim *c)
{
    struct stmt *st = db_prepare(db, LOCK);
    bool locked[AGENTS] = { false };

    bind_agents(st, c);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct turn *t = turn_of(c, col_u64(st, 0));

        if (t != NULL)
            locked[t - c->turns] = true;
    }
    for (unsigned i = 0; i < AGENTS; i++)
        if (!locked[i])
            c->turns[i].agent_id = 0;
    return true;
}

static bool end_leases(struct db *db, const struct claim *c)
{
    struct stmt *st = db_prepare(db, EXPIRE);

    bind_agents(st, c);
    return db_exec(st) >= 0;
}

/* Ends leases that have run out. They are looked for first, as they are rare and the update is expensive: the
 * index is full of those that were recorded lately. */
static bool count_leases(struct db *db, struct claim *c)
{
    struct stmt *st = db_prepare(db, LEASES);
    bool any_over = false;

    bind_agents(st, c);
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct turn *t = turn_of(c, col_u64(st, 0));

        if (t != NULL)
            t->live = (unsigned)col_u64(st, 1);
        any_over |= col_u64(st, 2) > col_u64(st, 1);
    }
    return !any_over || end_leases(db, c);
}

/* An even share each. Where some do not fill theirs they leave the queue, and the others have more next time.
 */
static void turns_set_limits(struct claim *c)
{
    size_t agents = 0, part;

    for (unsigned i = 0; i < AGENTS; i++)
        agents += c->turns[i].agent_id != 0;
    part = agents > 0 ? c->in->max / agents + 1 : 0;
    for (unsigned i = 0; i < AGENTS; i++) {
        struct turn *t = &c->turns[i];

        if (t->agent_id == 0)
            continue;
        t->share = c->in->share(c->in->share_arg, t->agent_id);
        t->limit = t->share > t->live ? t->share - t->live : 0;
        if (t->limit > part)
            t->limit = (unsigned)part;
        t->events = ARENA_ARRAY(c->arena, struct event, t->limit + 1);
    }
}

static void read_event(struct stmt *st, struct arena *a, struct event *e)
{
    size_t headers_len;
    unsigned i = 0;

    READY_EVENT(READ_FIRST, READ_NEXT)
    e->status = EVENT_PENDING;
    e->sealed_headers_len = (unsigned)headers_len;
}

static bool read_ready(struct db *db, struct claim *c)
{
    struct stmt *st = db_prepare(db, READY);

    for (unsigned i = 0; i < AGENTS; i++) {
        bind_u64(st, c->turns[i].agent_id);
        bind_u64(st, c->turns[i].limit);
    }
    if (!db_query(st))
        return false;
    while (db_next(st)) {
        struct turn *t = turn_of(c, col_u64(st, 0));

        if (t == NULL || t->ready == t->limit)
            continue;
        t->events[t->ready] = t->template;
        read_event(st, c->arena, &t->events[t->ready++]);
    }
    return true;
}

/* Takes one event of each agent, then another of each, until no agent has more or all places are taken. */
static void claim_choose(struct claim *c)
{
    size_t before;

    do {
        before = c->n;
        for (unsigned i = 0; i < AGENTS && c->n < c->in->max; i++) {
            struct turn *t = &c->turns[i];

            if (t->taken < t->ready)
                c->out[c->n++] = t->events[t->taken++];
        }
    } while (c->n > before && c->n < c->in->max);
}

/* ---- taking ---- */

static void bind_seqs(struct stmt *st, const struct event *events, size_t n)
{
    for (size_t i = 0; i < SEQS; i++)
        bind_u64(st, i < n ? events[i].seq : 0);
}

static size_t batch_size(size_t n)
{
    return n < SEQS ? n : SEQS;
}

/* No other process can have changed an event that was read, as that takes the agent's row in the queue; if
 * one is gone all the same, nothing is claimed. */
static enum tx_verdict claim_lease(struct db *db, const struct claim *c)
{
    for (size_t i = 0; i < c->n; i += SEQS) {
        struct stmt *st = db_prepare(db, LEASE);
        size_t n = batch_size(c->n - i);
        int64_t leased;

        bind_uuid(st, c->in->owner);
        bind_u64(st, (c->in->lease_ms + 999) / 1000);
        bind_seqs(st, c->out + i, n);
        leased = db_exec(st);
        if (leased != (int64_t)n)
            return leased < 0 ? TX_FAILED : TX_ROLLBACK;
    }
    return TX_COMMIT;
}

/* It has all that it may have for now. */
static bool turn_is_full(const struct turn *t)
{
    return t->live + t->taken >= t->share;
}

/* It may have more, when all that was read of it was taken. */
static bool turn_has_more(const struct turn *t)
{
    return t->agent_id != 0 && (t->taken < t->ready || t->ready == t->limit);
}

/* It keeps its place in the queue: it has waited for long, and there was no room left. */
static bool turn_stays(const struct turn *t)
{
    return t->agent_id == 0 || (t->ready > 0 && t->taken == 0);
}

static bool turns_send_back(struct db *db, const struct claim *c, bool full)
{
    struct stmt *st = db_prepare(db, BACK);
    bool any = false;

    bind_u64(st, full ? AGAIN_MS * 1000 : 0);
    for (unsigned i = 0; i < AGENTS; i++) {
        const struct turn *t = &c->turns[i];
        bool goes = turn_has_more(t) && !turn_stays(t) && turn_is_full(t) == full;

        any |= goes;
        bind_u64(st, goes ? t->agent_id : 0);
    }
    return !any || db_exec(st) >= 0;
}

/* Nothing more is due: the next time is that of its earliest event or of the first lease that runs out. */
static bool turn_settle(struct db *db, const struct turn *t)
{
    struct stmt *st;

    if (turn_has_more(t) || turn_stays(t))
        return true;
    st = db_prepare(db, SETTLE);
    bind_u64(st, t->agent_id);
    bind_u64(st, t->agent_id);
    bind_u64(st, t->agent_id);
    return db_exec(st) >= 0;
}

static bool turns_settle(struct db *db, const struct claim *c)
{
    for (unsigned i = 0; i < AGENTS; i++)
        if (!turn_settle(db, &c->turns[i]))
            return false;
    return turns_send_back(db, c, false) && turns_send_back(db, c, true);
}

static enum tx_verdict claim_tx(struct db *db, void *arg)
{
    struct claim *c = arg;
    enum tx_verdict verdict;

    memset(c->turns, 0, sizeof c->turns);
    c->n = 0;
    if (!read_queue(db, c))
        return TX_FAILED;
    if (c->turns[0].agent_id == 0)
        return TX_ROLLBACK; /* no agent is due */
    if (!lock_queue(db, c) || !count_leases(db, c))
        return TX_FAILED;
    turns_set_limits(c);
    if (!read_ready(db, c))
        return TX_FAILED;
    claim_choose(c);
    verdict = claim_lease(db, c);
    if (verdict == TX_COMMIT && !turns_settle(db, c))
        verdict = TX_FAILED;
    return verdict;
}

/* ---- claiming ---- */

static bool read_wait(struct db *db, int64_t *wait_ms)
{
    struct stmt *st = db_prepare(db, WAIT);

    if (db_one(st) != LOOKUP_FOUND)
        return false;
    *wait_ms = col_null(st, 0) ? INT64_MAX : col_i64(st, 0);
    return true;
}

int events_claim(struct db *db, struct arena *a, const struct claim_in *in, struct event *out,
                 int64_t *wait_ms)
{
    struct claim c = { .in = in, .arena = a, .out = out };

    *wait_ms = 0;
    switch (db_transact(db, claim_tx, &c)) {
    case TX_DONE:
        return c.n == in->max || read_wait(db, wait_ms) ? (int)c.n : -1;
    case TX_REFUSED:
        return read_wait(db, wait_ms) ? 0 : -1;
    case TX_BROKEN:
    case TX_UNKNOWN:
        break;
    }
    return -1;
}

/* ---- releasing ---- */

struct release {
    const struct uuid *owner;
    const struct event *events;
    size_t n;
};

static bool release_wake(struct db *db, const struct release *r)
{
    uint64_t last = 0;

    for (;;) {
        uint64_t next = UINT64_MAX;

        for (size_t i = 0; i < r->n; i++)
            if (r->events[i].agent_id > last && r->events[i].agent_id < next)
                next = r->events[i].agent_id;
        if (next == UINT64_MAX)
            return true;
        if (!events_wake(db, next, 0))
            return false;
        last = next;
    }
}

static enum tx_verdict release_tx(struct db *db, void *arg)
{
    const struct release *r = arg;

    for (size_t i = 0; i < r->n; i += SEQS) {
        struct stmt *st = db_prepare(db, RELEASE);

        bind_seqs(st, r->events + i, batch_size(r->n - i));
        bind_uuid(st, r->owner);
        if (db_exec(st) < 0)
            return TX_FAILED;
    }
    return release_wake(db, r) ? TX_COMMIT : TX_FAILED;
}

bool events_release(struct db *db, const struct uuid *owner, const struct event *events, size_t n)
{
    struct release r = { owner, events, n };

    return db_transact(db, release_tx, &r) == TX_DONE;
}
