#include "store/executions.h"

#include "base/log.h"
#include "model/approval.h"
#include "store/agents.h"
#include "store/columns.h"
#include "store/execution_marks.h"
#include "store/states.h"

/* Rows to skip before it pays to look for a mark. */
enum { PAGE_NEAR_MAX = 100 };

/* Columns of execution `x` that lists show, from column `i` of `st` on. */
#define EXECUTION_LISTED(FIRST, NEXT)                                                                        \
    FIRST("e.id", x->id = col_u64(st, i))                                                                    \
    NEXT("e.status", x->status = (enum exec_status)col_u64(st, i))                                           \
    NEXT("e.corrected", x->corrected = col_u64(st, i) != 0)                                                  \
    TOKEN(NEXT, "e.from", x->from)                                                                           \
    NEXT("e.amount_in", x->amount_in = col_u256(st, i))                                                      \
    TOKEN(NEXT, "e.to", x->to)                                                                               \
    NEXT("e.expected_out", x->expected_out = col_u256(st, i))                                                \
    NEXT("e.amount_out", x->has_amount_out = col_maybe_u256(st, i, &x->amount_out))                          \
    NEXT("e.tx_hash", col_tx_hash(st, i, &x->tx_hash))                                                       \
    NEXT("e.error_code", x->error_code = col_text(st, i, a))                                                 \
    NEXT("e.error_message", x->error_message = col_text(st, i, a))                                           \
    NEXT("e.created_at", x->created_ms = col_ms(st, i))                                                      \
    NEXT("e.updated_at", x->updated_ms = col_ms(st, i))                                                      \
    NEXT("e.completed_at", x->completed_ms = col_ms(st, i))                                                  \
    NEXT("e.approval_id", x->has_approval = col_maybe_uuid(st, i, &x->approval))                             \
    NEXT("e.approval_expires_at", x->approval_expires_ms = col_ms(st, i))

/* All of it. */
#define EXECUTION(FIRST, NEXT)                                                                               \
    EXECUTION_LISTED(FIRST, NEXT)                                                                            \
    NEXT("e.agent_id", x->agent_id = col_u64(st, i))                                                         \
    NEXT("e.wallet_id", x->wallet_id = col_u64(st, i))                                                       \
    NEXT("e.kind", x->kind = (enum exec_kind_id)col_u64(st, i))                                              \
    NEXT("e.venue", col_string(st, i, x->venue, sizeof x->venue))                                            \
    NEXT("e.once", x->once = col_uuid(st, i))                                                                \
    NEXT("e.in_flight", x->follow = (enum exec_follow)col_u64(st, i))                                        \
    NEXT("e.min_out", x->min_out = col_u256(st, i))                                                          \
    NEXT("e.valid_until", x->valid_until_ms = col_ms(st, i))

#define SELECT        "SELECT " EXECUTION(FIRST_NAME, NEXT_NAME) " FROM executions e"
#define SELECT_LISTED "SELECT " EXECUTION_LISTED(FIRST_NAME, NEXT_NAME) " FROM "

static const char ADD[] =
    "INSERT INTO executions (agent_id, wallet_id, kind, venue, once, status, from_chain, from_symbol,"
    " from_address, from_decimals, amount_in, to_chain, to_symbol, to_address, to_decimals, expected_out,"
    " min_out, created_at, updated_at, valid_until, due_at, request_id, approval_id,"
    " approval_expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(?, UTC_TIMESTAMP(3)), UTC_TIMESTAMP(3), ?,"
    " UTC_TIMESTAMP(3) + INTERVAL ? SECOND, ?, ?, UTC_TIMESTAMP(3) + INTERVAL ? SECOND)";
/* At the very time that the execution has. How it came into being is no row: its own says that. */
static const char HISTORY[] =
    "INSERT INTO execution_history (execution_id, from_status, to_status, why, created_at)"
    " SELECT id, ?, ?, ?, updated_at FROM executions WHERE id = ?";
static const char HISTORIES[] =
    "INSERT INTO execution_history (execution_id, from_status, to_status, why, created_at)"
    " SELECT id, ?, ?, ?, updated_at FROM executions WHERE id IN (" VALUES_16 ") ORDER BY id";
/* Counts one status, or two: an execution that gets one leaves another. */
#define COUNT_OTHERS(rows)                                                                                   \
    "INSERT INTO execution_totals (agent_id, kind, listed, n) VALUES " rows                                  \
    " ON DUPLICATE KEY UPDATE n = n + VALUES(n)"
static const char *const COUNT_OTHER[] = { COUNT_OTHERS("(?, ?, ?, ?)"),
                                           COUNT_OTHERS("(?, ?, ?, ?), (?, ?, ?, ?)") };
static const char BY_ONCE[] = "SELECT id FROM executions WHERE once = ? AND agent_id = ?";
static const char GET[] = SELECT " WHERE e.id = ? AND (? = 0 OR e.agent_id = ?)";
static const char GET_ALL[] = SELECT " WHERE e.id IN (" VALUES_16 ")";
static const char AWAITED[] =
    "SELECT e.id, e.status IN (" SQL_PENDING ", " SQL_SUBMITTED ", " SQL_PROCESSING "),"
    " COALESCE(o.status, p.status, 0) IN (" SQL_ORDER_PENDING ", " SQL_ORDER_OPEN "),"
    " COALESCE(o.type IN (" SQL_ORDER_FOK ", " SQL_ORDER_FAK "), p.is_market OR p.tif = " SQL_PERPS_IOC ", 0)"
    " FROM executions e"
    " LEFT JOIN predict_orders o ON o.execution_id = e.id"
    " LEFT JOIN perps_orders p ON p.execution_id = e.id AND p.role = 0 WHERE e.id IN (" VALUES_160 ")";
static const char FAILED_AS[] =
    "SELECT why, created_at FROM execution_history WHERE execution_id = ? AND to_status = " SQL_FAILED
    " ORDER BY id DESC LIMIT 1";
/* The optimizer otherwise walks the primary key backwards through other agents' rows, or reads on from the
 * agent's newest row instead of the mark. Far from the front a page begins at a mark; where there is none,
 * ids are selected first, so that what is skipped is read from the index alone. Near the front either would
 * read more rows. */
#define FROM_START(index, where)                                                                             \
    SELECT_LISTED "executions e FORCE INDEX (" index ") WHERE " where " ORDER BY e.id DESC LIMIT ? OFFSET ?"
#define FROM_MARK(index, where) FROM_START(index, where " AND e.id <= ?")
#define BY_COUNT(index, where)                                                                               \
    SELECT_LISTED                                                                                            \
    "(SELECT e.id FROM executions e FORCE INDEX (" index ") WHERE " where                                    \
    " ORDER BY e.id DESC LIMIT ? OFFSET ?) i JOIN executions e ON e.id = i.id "                              \
    "ORDER BY e.id DESC"
#define OF_ALL    "agent_page", "e.agent_id = ? AND e.in_swaps = 1"
#define OF_LISTED "agent_listed_page", "e.agent_id = ? AND e.in_swaps = 1 AND e.listed = ?"
#define START(of) FROM_START(of)
#define MARK(of)  FROM_MARK(of)
#define COUNT(of) BY_COUNT(of)
enum page_way { PAGE_FROM_START, PAGE_FROM_MARK, PAGE_BY_COUNT };
/* [way][by status] */
static const char *const pages[][2] = {
    [PAGE_FROM_START] = { START(OF_ALL), START(OF_LISTED) },
    [PAGE_FROM_MARK] = { MARK(OF_ALL), MARK(OF_LISTED) },
    [PAGE_BY_COUNT] = { COUNT(OF_ALL), COUNT(OF_LISTED) },
};
#define FILTERED_ROWS                                                                                        \
    "executions e FORCE INDEX (agent_page) WHERE e.agent_id = ? AND e.in_swaps "                             \
    "= 1"                                                                                                    \
    " AND (? = 0 OR e.listed = ?)" SQL_LIST_FILTER
static const char FILTERED[] = SELECT_LISTED FILTERED_ROWS " ORDER BY e.id DESC LIMIT ? OFFSET ?";
static const char FILTERED_TOTAL[] = "SELECT COUNT(*) FROM " FILTERED_ROWS;
static const char IN_TRANSIT[] =
    SELECT " FORCE INDEX (agent_listed_page) WHERE e.agent_id = ? AND e.in_swaps = 1 "
           "AND e.listed = " SQL_PENDING " AND e.status = " SQL_PROCESSING
           " AND e.to_chain <> e.from_chain ORDER BY e.id DESC LIMIT ?";
static const char UNDER_WAY[] =
    "SELECT e.id FROM executions e FORCE INDEX (agent_listed_page) WHERE e.agent_id = ? AND e.in_swaps = 0"
    " AND e.listed IN (" SQL_PENDING ", " SQL_SUBMITTED ") AND e.kind = ? ORDER BY e.id DESC LIMIT 1";
static const char UNENDED[] = SELECT
    " FORCE INDEX (agent_listed_page) WHERE e.agent_id = ? AND e.in_swaps IN (0, 1) AND e.listed IN (" SQL_PENDING
    ", " SQL_SUBMITTED ") ORDER BY e.id DESC LIMIT ?";
static const char BRIDGES_UNENDED[] =
    SELECT " FORCE INDEX (due) WHERE e.agent_id = ? AND e.in_flight = " SQL_FOLLOW_BRIDGE
           " AND e.listed NOT IN (" SQL_PENDING ", " SQL_SUBMITTED ") ORDER BY e.id DESC LIMIT ?";
#define PLACES_OF(side)                                                                                      \
    "SELECT DISTINCT e.kind, e." side "_chain, e." side "_symbol, e." side "_address, e." side "_decimals"   \
    " FROM executions e FORCE INDEX (agent_page) WHERE e.agent_id = ?"
static const char PLACES[] = PLACES_OF("from") " UNION " PLACES_OF("to") " LIMIT ?";
#define TRANSFER_ROWS                                                                                        \
    " FORCE INDEX (agent_page) WHERE e.agent_id = ? AND e.in_swaps = 0 AND "                                 \
    "e.kind IN"                                                                                              \
    " (" SQL_PREDICT_TRANSFERS ")"
#define TRANSFER_FILTER " AND (? = 0 OR e.listed = ?)" SQL_LIST_FILTER
#define TRANSFER_PAGE   " ORDER BY e.id DESC LIMIT ? OFFSET ?"
static const char TRANSFERS[] = SELECT TRANSFER_ROWS TRANSFER_PAGE;
static const char TRANSFERS_FILTERED[] = SELECT TRANSFER_ROWS TRANSFER_FILTER TRANSFER_PAGE;
static const char TRANSFERS_FILTERED_TOTAL[] =
    "SELECT COUNT(*) FROM executions e" TRANSFER_ROWS TRANSFER_FILTER;
static const char TRANSFERS_TOTAL[] = "SELECT COALESCE(SUM(n), 0) FROM execution_totals WHERE agent_id = ?"
                                      " AND kind IN (" SQL_PREDICT_TRANSFERS ")";
static const char MOVE[] =
    "UPDATE executions SET corrected = corrected OR ?, status = ?, tx_hash = COALESCE(?, tx_hash),"
    " amount_out = ?, error_code = ?, error_message = ?, updated_at = UTC_TIMESTAMP(3),"
    " completed_at = IF(?, UTC_TIMESTAMP(3), NULL), due_at = UTC_TIMESTAMP(3),"
    " in_flight = COALESCE(?, in_flight) WHERE id = ? AND status = ?";
static const char BEGIN[] =
    "UPDATE executions SET venue = ?, amount_in = ?, expected_out = ?, min_out = ?, valid_until = ?,"
    " updated_at = UTC_TIMESTAMP(3), due_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND"
    " WHERE id = ? AND status = " SQL_PENDING;
static const char VALID_UNTIL[] = "UPDATE executions SET valid_until = ? WHERE id = ?";
static const char SETTLE[] =
    "UPDATE executions SET in_flight = ? WHERE id IN (" VALUES_16 ") AND ? IN (0, status)";
static const char FOLLOW_AGAIN[] =
    "UPDATE executions SET in_flight = " SQL_IN_FLIGHT ", due_at = UTC_TIMESTAMP(3), lease_owner = NULL,"
    " lease_until = NULL WHERE id = ? AND in_flight <> " SQL_IN_FLIGHT " AND status IN (" SQL_PROCESSING
    ", " SQL_COMPLETED ", " SQL_FAILED ")"
    " AND EXISTS (SELECT 1 FROM transactions t WHERE t.execution_id = executions.id)";
static const char HOLD[] =
    "SELECT 1 FROM executions WHERE id = ? AND in_flight = " SQL_IN_FLIGHT " FOR UPDATE";
/* With many due the optimizer would sort the whole table. */
#define CLAIM(which)                                                                                         \
    "UPDATE executions FORCE INDEX (due) SET lease_owner = ?,"                                               \
    " lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE in_flight " which                             \
    " AND due_at <= UTC_TIMESTAMP(3) AND (lease_until IS NULL OR lease_until < "                             \
    "UTC_TIMESTAMP(3))"                                                                                      \
    " ORDER BY due_at LIMIT ?"
static const char CLAIM_IN_FLIGHT[] = CLAIM("= " SQL_IN_FLIGHT);
static const char CLAIM_OTHERS[] = CLAIM("IN (" SQL_ONCE_MORE ", " SQL_FOLLOW_BRIDGE ")");
static const char CLAIMED[] = SELECT " WHERE e.lease_owner = ? ORDER BY e.id";
/* A bridge that is followed alone is due when its bridge provider is. */
static const char RELEASE[] =
    "UPDATE executions SET lease_owner = NULL, lease_until = NULL, due_at = COALESCE("
    "(SELECT b.next_poll_at FROM bridges b WHERE b.execution_id = IF(in_flight = " SQL_FOLLOW_BRIDGE
    ", executions.id, 0)), UTC_TIMESTAMP(3) + INTERVAL"
    " CASE WHEN in_flight = " SQL_ONCE_MORE " THEN ?"
    " WHEN status IN (" SQL_COMPLETED ", " SQL_FAILED ") THEN 5"
    " WHEN created_at > UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE THEN 1 ELSE 10 END SECOND)"
    " WHERE lease_owner = ?";
static const char OVERDUE[] =
    "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(due_at), UTC_TIMESTAMP(3)), 0)"
    " FROM executions WHERE in_flight = " SQL_IN_FLIGHT " AND due_at <= UTC_TIMESTAMP(3)";
static const char IN_FLIGHT[] =
    "SELECT COUNT(*) FROM (SELECT 1 FROM executions WHERE in_flight = " SQL_IN_FLIGHT " LIMIT " SQL_QUEUE_MOST
    ") followed";

static bool add_history(struct db *db, uint64_t id, int from, enum exec_status to, const char *why)
{
    struct stmt *st = db_prepare(db, HISTORY);

    bind_i64(st, from);
    bind_u64(st, to);
    bind_text(st, why);
    bind_u64(st, id);
    return db_exec(st) == 1;
}

/* The sums that moves add to an agent's totals of one kind. */
struct moved {
    uint64_t agent_id;
    enum exec_kind_id kind;
    bool begins; /* one of them is new */
    int delta[EXEC_FAILED + 1];
    uint64_t marked_upto; /* marks behind it count no more */
};

static struct moved moved_none(uint64_t agent_id, enum exec_kind_id kind)
{
    return (struct moved){ .agent_id = agent_id, .kind = kind, .marked_upto = UINT64_MAX };
}

/* +1 where lists show it now, -1 where they did before. */
static void moved_add(struct moved *t, const struct execution_move *m)
{
    enum exec_status now = exec_listed(m->to);

    t->begins = t->begins || m->from == 0;
    if (m->from != 0 && exec_listed(m->from) == now)
        return;
    t->delta[now]++;
    if (m->from != 0)
        t->delta[exec_listed(m->from)]--;
    if (m->id - 1 < t->marked_upto)
        t->marked_upto = m->id - 1;
}

/* Those that are new. */
static int moved_more(const struct moved *t)
{
    int more = 0;

    for (enum exec_status s = EXEC_PENDING; s <= EXEC_FAILED; s++)
        more += t->delta[s];
    return more;
}

/* Against its deletion, the agent's row is written for what is new. */
static enum db_update agent_count(struct db *db, const struct moved *t)
{
    const int none[EXEC_FAILED + 1] = { 0 };

    if (!t->begins)
        return UPDATED;
    return exec_lends(t->kind) ? agents_count_lending(db, t->agent_id, moved_more(t))
                               : agents_count_swap(db, t->agent_id, none, UINT64_MAX);
}

static bool count_others(struct db *db, const struct moved *t, const enum exec_status *changed, unsigned n)
{
    struct stmt *st = db_prepare(db, COUNT_OTHER[n - 1]);

    for (unsigned i = 0; i < n; i++) {
        bind_u64(st, t->agent_id);
        bind_u64(st, t->kind);
        bind_u64(st, changed[i]);
        bind_i64(st, t->delta[changed[i]]);
    }
    return db_exec(st) >= 0;
}

static bool totals_count(struct db *db, const struct moved *t)
{
    enum exec_status changed[2];
    unsigned n = 0;

    for (enum exec_status s = EXEC_PENDING; s <= EXEC_FAILED; s++) {
        if (t->delta[s] != 0)
            changed[n++] = s;
        if (n < 2)
            continue;
        if (!count_others(db, t, changed, n))
            return false;
        n = 0;
    }
    return n == 0 || count_others(db, t, changed, n);
}

/* Orders are counted themselves, as lists know their own status. UNCHANGED: the agent is gone. */
static enum db_update moved_count(struct db *db, const struct moved *t)
{
    enum db_update counted;

    if (exec_places(t->kind))
        return UPDATED;
    if (exec_in_swaps(t->kind))
        return agents_count_swap(db, t->agent_id, t->delta, t->marked_upto);
    counted = agent_count(db, t);
    if (counted == UPDATED && !totals_count(db, t))
        return DB_ERROR;
    return counted;
}

/* Those of one agent and kind that follow each other are added up. */
enum db_update executions_count(struct db *db, const struct execution_move *moves, size_t n)
{
    enum db_update result = UPDATED;
    size_t i = 0;

    while (i < n) {
        struct moved t = moved_none(moves[i].agent_id, moves[i].kind);
        enum db_update counted;

        for (; i < n && moves[i].agent_id == t.agent_id && moves[i].kind == t.kind; i++)
            moved_add(&t, &moves[i]);
        counted = moved_count(db, &t);
        if (counted == DB_ERROR)
            return DB_ERROR;
        if (counted == UNCHANGED)
            result = UNCHANGED;
    }
    return result;
}

/* NULL where nothing is to arrive. */
static void bind_output(struct stmt *st, const struct execution *x)
{
    if (x->to.chain_id != 0) {
        bind_u64(st, x->to.chain_id);
        bind_token(st, &x->to);
        bind_u256(st, &x->expected_out);
        bind_u256(st, &x->min_out);
        return;
    }
    for (int i = 0; i < 6; i++)
        bind_bytes(st, NULL, 0);
}

bool executions_add(struct db *db, struct execution *s, unsigned hands_off_s)
{
    struct stmt *st = db_prepare(db, ADD);

    bind_u64(st, s->agent_id);
    bind_u64(st, s->wallet_id);
    bind_u64(st, s->kind);
    bind_text(st, s->venue);
    bind_uuid(st, &s->once);
    bind_u64(st, EXEC_PENDING);
    bind_u64(st, s->from.chain_id);
    bind_token(st, &s->from);
    bind_u256(st, &s->amount_in);
    bind_output(st, s);
    bind_ms(st, s->created_ms);
    bind_ms(st, s->valid_until_ms);
    bind_u64(st, hands_off_s);
    bind_ascii(st, log_current_id());
    /* NULL where none is needed; else it has to be there before the execution is followed. */
    bind_bytes(st, s->has_approval ? s->approval.bytes : NULL, sizeof s->approval.bytes);
    bind_maybe_u64(st, s->has_approval, hands_off_s);
    if (db_exec(st) != 1)
        return false;
    s->id = db_insert_id(db);
    s->status = EXEC_PENDING;
    return true;
}

bool executions_valid_until(struct db *db, uint64_t id, int64_t valid_until_ms)
{
    struct stmt *st = db_prepare(db, VALID_UNTIL);

    bind_ms(st, valid_until_ms);
    bind_u64(st, id);
    return db_exec(st) >= 0;
}

enum db_update executions_begin(struct db *db, const struct execution *s, unsigned hands_off_s)
{
    struct stmt *st = db_prepare(db, BEGIN);
    enum db_update begun;

    bind_text(st, s->venue);
    bind_u256(st, &s->amount_in);
    bind_u256(st, &s->expected_out);
    bind_u256(st, &s->min_out);
    bind_ms(st, s->valid_until_ms);
    bind_u64(st, hands_off_s);
    bind_u64(st, s->id);
    begun = db_change(st);
    if (begun != UPDATED)
        return begun;
    return add_history(db, s->id, EXEC_PENDING, EXEC_PENDING, "approved") ? UPDATED : DB_ERROR;
}

enum lookup executions_by_once(struct db *db, uint64_t agent_id, const struct uuid *once, uint64_t *id)
{
    struct stmt *st = db_prepare(db, BY_ONCE);
    enum lookup found;

    bind_uuid(st, once);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *id = col_u64(st, 0);
    return found;
}

static void read_listed_execution(struct stmt *st, struct arena *a, struct execution *x)
{
    unsigned i = 0;

    *x = (struct execution){ .id = 0 };
    EXECUTION_LISTED(READ_FIRST, READ_NEXT)
}

static void read_execution(struct stmt *st, struct arena *a, struct execution *x)
{
    unsigned i = 0;

    *x = (struct execution){ .id = 0 };
    EXECUTION(READ_FIRST, READ_NEXT)
}

enum lookup executions_get(struct db *db, struct arena *a, uint64_t agent_id, uint64_t id,
                           struct execution *out)
{
    struct stmt *st = db_prepare(db, GET);
    enum lookup found;

    bind_u64(st, id);
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        read_execution(st, a, out);
    return found;
}

enum lookup executions_failed_as(struct db *db, struct arena *a, uint64_t id, const char **why,
                                 int64_t *at_ms)
{
    struct stmt *st = db_prepare(db, FAILED_AS);
    enum lookup found;

    bind_u64(st, id);
    found = db_one(st);
    if (found != LOOKUP_FOUND)
        return found;
    *why = col_text(st, 0, a);
    *at_ms = col_ms(st, 1);
    return LOOKUP_FOUND;
}

static int read_executions(struct stmt *st, struct arena *a, struct execution **out)
{
    int n = 0;

    *out = NULL;
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_execution(st, a, &(*out)[n++]);
    }
    return n;
}

int executions_get_all(struct db *db, struct arena *a, const uint64_t *ids, size_t n, struct execution **out)
{
    struct stmt *st = db_prepare(db, GET_ALL);

    bind_ids(st, ids, n, EXECUTIONS_AT_ONCE);
    return read_executions(st, a, out);
}

bool executions_ended(struct db *db, const struct execution_awaited *of, size_t n, bool *ended)
{
    struct stmt *st = db_prepare(db, AWAITED);

    for (size_t i = 0; i < EXECUTIONS_AWAITED; i++)
        bind_u64(st, i < n ? of[i].id : 0);
    if (!db_query(st))
        return false;
    for (size_t i = 0; i < n; i++)
        ended[i] = true;
    while (db_next(st))
        for (size_t i = 0; i < n; i++)
            if (of[i].id == col_u64(st, 0))
                ended[i] = ended[i] && col_u64(st, 1) == 0 &&
                           (col_u64(st, 2) == 0 || (!of[i].order && col_u64(st, 3) == 0));
    return true;
}

/* The way to skip m->skip rows; with a mark, the number left to skip from it on. -1: the database failed. */
static int page_way(struct db *db, uint64_t agent_id, enum exec_status listed, struct mark *m)
{
    if (m->skip <= PAGE_NEAR_MAX)
        return PAGE_FROM_START;
    switch (execution_marks_find(db, agent_id, listed, m->skip, m)) {
    case LOOKUP_FOUND:
        return PAGE_FROM_MARK;
    case LOOKUP_NONE:
        return PAGE_BY_COUNT;
    case LOOKUP_ERROR:
        break;
    }
    return -1;
}

int executions_page(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                    const struct page *p, struct execution *out)
{
    struct mark m = { .skip = p->offset };
    int way = page_way(db, agent_id, listed, &m), n = 0;
    struct stmt *st;

    if (way < 0)
        return -1;
    st = db_prepare(db, pages[way][listed != 0]);
    bind_u64(st, agent_id);
    if (listed != 0)
        bind_u64(st, listed);
    if (way == PAGE_FROM_MARK)
        bind_u64(st, m.upto_id);
    bind_u64(st, p->limit);
    bind_u64(st, m.skip);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed_execution(st, a, &out[n++]);
    return n;
}

static struct stmt *filtered_prepare(struct db *db, const char *sql, uint64_t agent_id,
                                     enum exec_status listed, const struct list_filter *f)
{
    struct stmt *st = db_prepare(db, sql);

    bind_u64(st, agent_id);
    bind_u64(st, listed);
    bind_u64(st, listed);
    bind_list_filter(st, f);
    return st;
}

int executions_filtered(struct db *db, struct arena *a, uint64_t agent_id, enum exec_status listed,
                        const struct list_filter *f, const struct page *p, struct execution *out,
                        uint64_t *total)
{
    struct stmt *st = filtered_prepare(db, FILTERED_TOTAL, agent_id, listed, f);
    int n = 0;

    if (db_one(st) != LOOKUP_FOUND)
        return -1;
    *total = col_u64(st, 0);
    st = filtered_prepare(db, FILTERED, agent_id, listed, f);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    if (!db_query(st))
        return -1;
    while (db_next(st))
        read_listed_execution(st, a, &out[n++]);
    return n;
}

int executions_in_transit(struct db *db, struct arena *a, uint64_t agent_id, struct execution **out)
{
    struct stmt *st = db_prepare(db, IN_TRANSIT);

    bind_u64(st, agent_id);
    bind_u64(st, IN_TRANSIT_MAX);
    return read_executions(st, a, out);
}

enum lookup executions_under_way(struct db *db, uint64_t agent_id, enum exec_kind_id kind, uint64_t *id)
{
    struct stmt *st = db_prepare(db, UNDER_WAY);
    enum lookup found;

    bind_u64(st, agent_id);
    bind_u64(st, kind);
    found = db_one(st);
    if (found == LOOKUP_FOUND)
        *id = col_u64(st, 0);
    return found;
}

static int unended_add(struct stmt *st, struct arena *a, uint64_t agent_id, int n, struct execution **out)
{
    bind_u64(st, agent_id);
    bind_u64(st, EXECUTIONS_UNENDED_MAX);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        read_execution(st, a, &(*out)[n++]);
    }
    return n;
}

int executions_unended(struct db *db, struct arena *a, uint64_t agent_id, struct execution **out)
{
    int n;

    *out = NULL;
    n = unended_add(db_prepare(db, UNENDED), a, agent_id, 0, out);
    return n < 0 ? n : unended_add(db_prepare(db, BRIDGES_UNENDED), a, agent_id, n, out);
}

int executions_places(struct db *db, struct arena *a, uint64_t agent_id, struct execution_place **out)
{
    struct stmt *st = db_prepare(db, PLACES);
    int n = 0;

    *out = NULL;
    bind_u64(st, agent_id);
    bind_u64(st, agent_id);
    bind_u64(st, EXECUTION_PLACES_MAX);
    if (!db_query(st))
        return -1;
    while (db_next(st)) {
        struct execution_place *x;
        unsigned i = 0;

        *out = arena_grow(a, *out, (size_t)n, sizeof **out);
        x = &(*out)[n++];
        *x = (struct execution_place){ .kind = (enum exec_kind_id)col_u64(st, i) };
        TOKEN(READ_NEXT, "e.from", x->token)
    }
    return n;
}

int executions_transfers(struct db *db, struct arena *a, const struct agent *agent,
                         const struct own_filter *f, const struct page *p, struct own_listed *out,
                         uint64_t *total)
{
    bool all = own_filter_is_open(f);
    struct stmt *st = all ? db_prepare(db, TRANSFERS_TOTAL)
                          : filtered_prepare(db, TRANSFERS_FILTERED_TOTAL, agent->id, f->listed, &f->more);
    struct execution *list;
    int n;

    if (all)
        bind_u64(st, agent->id);
    if (db_one(st) != LOOKUP_FOUND)
        return -1;
    *total = col_u64(st, 0);
    st = all ? db_prepare(db, TRANSFERS)
             : filtered_prepare(db, TRANSFERS_FILTERED, agent->id, f->listed, &f->more);
    if (all)
        bind_u64(st, agent->id);
    bind_u64(st, p->limit);
    bind_u64(st, p->offset);
    n = read_executions(st, a, &list);
    for (int i = 0; i < n; i++)
        out[i] = (struct own_listed){ .execution = list[i] };
    return n;
}

static enum db_update move_status(struct db *db, const struct execution_move *m)
{
    struct stmt *st = db_prepare(db, MOVE);

    if (!exec_may_move(m->from, m->to))
        log_fatal("program_broken", "msg=\"move not in the table\" from=%d to=%d", (int)m->from, (int)m->to);
    bind_u64(st, m->from == EXEC_FAILED);
    bind_u64(st, m->to);
    bind_tx_hash(st, m->tx_hash);
    bind_maybe_u256(st, m->amount_out);
    bind_text(st, m->error_code);
    bind_text(st, m->error_message);
    bind_u64(st, m->to == EXEC_COMPLETED || m->to == EXEC_FAILED || m->to == EXEC_EXPIRED);
    bind_maybe_u64(st, m->settles, m->next);
    bind_u64(st, m->id);
    bind_u64(st, m->from);
    return db_change(st);
}

static bool moves_alike(const struct execution_move *a, const struct execution_move *b)
{
    return a->from == b->from && a->to == b->to && strcmp(a->why, b->why) == 0;
}

/* Adds the history of moves[at] and of those after it that are alike; they are marked in `told`. */
static bool histories_add(struct db *db, const struct execution_move *moves, size_t n, size_t at, bool *told)
{
    uint64_t ids[EXECUTIONS_AT_ONCE];
    size_t count = 0;
    struct stmt *st;

    for (size_t i = at; i < n; i++) {
        if (told[i] || !moves_alike(&moves[i], &moves[at]))
            continue;
        ids[count++] = moves[i].id;
        told[i] = true;
    }
    if (count == 1)
        return add_history(db, ids[0], (int)moves[at].from, moves[at].to, moves[at].why);
    st = db_prepare(db, HISTORIES);
    bind_i64(st, (int)moves[at].from);
    bind_u64(st, moves[at].to);
    bind_text(st, moves[at].why);
    bind_ids(st, ids, count, EXECUTIONS_AT_ONCE);
    return db_exec(st) == (int64_t)count;
}

enum db_update executions_move(struct db *db, const struct execution_move *moves, size_t n)
{
    bool told[EXECUTIONS_AT_ONCE] = { false };
    enum db_update moved = UPDATED;

    for (size_t i = 0; i < n && moved == UPDATED; i++)
        moved = move_status(db, &moves[i]);
    for (size_t i = 0; i < n && moved == UPDATED; i++)
        if (!told[i] && !histories_add(db, moves, n, i, told))
            moved = DB_ERROR;
    return moved;
}

enum db_update executions_settle(struct db *db, const uint64_t *ids, size_t n, enum exec_status from,
                                 enum exec_follow next)
{
    struct stmt *st = db_prepare(db, SETTLE);
    int64_t settled;

    bind_u64(st, next);
    bind_ids(st, ids, n, EXECUTIONS_AT_ONCE);
    bind_u64(st, from);
    settled = db_exec(st);
    if (settled < 0)
        return DB_ERROR;
    return settled == (int64_t)n ? UPDATED : UNCHANGED;
}

enum db_update executions_follow_again(struct db *db, uint64_t id)
{
    struct stmt *st = db_prepare(db, FOLLOW_AGAIN);

    bind_u64(st, id);
    return db_change(st);
}

enum lookup executions_hold(struct db *db, uint64_t id)
{
    struct stmt *st = db_prepare(db, HOLD);

    bind_u64(st, id);
    return db_one(st);
}

static int64_t claim_followed(struct db *db, const char *sql, const struct uuid *owner, unsigned lease_s,
                              unsigned max)
{
    struct stmt *st = db_prepare(db, sql);

    bind_uuid(st, owner);
    bind_u64(st, lease_s);
    bind_u64(st, max);
    return db_exec(st);
}

int64_t executions_claim(struct db *db, const struct uuid *owner, unsigned lease_s, unsigned max)
{
    int64_t flying = claim_followed(db, CLAIM_IN_FLIGHT, owner, lease_s, max), others;

    if (flying < 0 || flying == max)
        return flying;
    others = claim_followed(db, CLAIM_OTHERS, owner, lease_s, max - (unsigned)flying);
    return others < 0 ? -1 : flying + others;
}

int executions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct execution **out)
{
    struct stmt *st = db_prepare(db, CLAIMED);

    bind_uuid(st, owner);
    return read_executions(st, a, out);
}

bool executions_release(struct db *db, const struct uuid *owner, unsigned recheck_s)
{
    struct stmt *st = db_prepare(db, RELEASE);

    bind_u64(st, recheck_s);
    bind_uuid(st, owner);
    return db_exec(st) >= 0;
}

struct claim_next {
    const struct uuid *done, *owner;
    unsigned recheck_s, lease_s, max;
    int64_t claimed; /* set anew by each run */
};

static enum tx_verdict claim_next_tx(struct db *db, void *arg)
{
    struct claim_next *n = arg;

    n->claimed = -1;
    if (executions_release(db, n->done, n->recheck_s))
        n->claimed = executions_claim(db, n->owner, n->lease_s, n->max);
    return n->claimed < 0 ? TX_FAILED : TX_COMMIT;
}

int64_t executions_claim_next(struct db *db, const struct uuid *done, unsigned recheck_s,
                              const struct uuid *owner, unsigned lease_s, unsigned max)
{
    struct claim_next n = {
        .done = done, .owner = owner, .recheck_s = recheck_s, .lease_s = lease_s, .max = max
    };

    return db_transact(db, claim_next_tx, &n) == TX_DONE ? n.claimed : -1;
}

int64_t executions_overdue(struct db *db)
{
    struct stmt *st = db_prepare(db, OVERDUE);

    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}

int64_t executions_in_flight(struct db *db)
{
    struct stmt *st = db_prepare(db, IN_FLIGHT);

    return db_one(st) == LOOKUP_FOUND ? col_i64(st, 0) : -1;
}
