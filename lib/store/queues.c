#include "store/queues.h"

#include "store/bridges.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/order_leases.h"
#include "store/states.h"

enum { ROWS_MAX = 64 * 3 };

#define SINCE(at) "CAST(COALESCE(GREATEST(TIMESTAMPDIFF(SECOND, " at ", UTC_TIMESTAMP(3)), 0), 0) AS SIGNED)"

/* The followed executions that are due first. */
#define FOLLOWED(which)                                                                                       \
    "(SELECT from_chain, status, created_at, in_swaps, approval_id, due_at FROM executions FORCE INDEX (due)" \
    " WHERE in_flight = " which " ORDER BY due_at LIMIT " SQL_QUEUE_MOST ")"
/* Until the operator approves it nothing of an execution is in progress, and it is due when that lapses: it
 * waits among the approvals alone. */
#define UNDER_WAY                                                                                            \
    "status <= " SQL_PROCESSING " AND (status <> " SQL_PENDING                                               \
    " OR approval_id IS NULL OR due_at < UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE)"

/* Each answers how many wait and the age of the oldest. */
static const char SWAPS[] = "SELECT COUNT(*), " SINCE("MIN(created_at)") " FROM " FOLLOWED(
    SQL_IN_FLIGHT) " followed WHERE " UNDER_WAY;
static const char APPROVALS[] =
    "SELECT COUNT(*), " SINCE("MIN(created_at)") " FROM (SELECT created_at FROM approvals"
                                                 " WHERE state = " SQL_APPROVAL_WAITING
                                                 " ORDER BY created_at LIMIT " SQL_QUEUE_MOST ") waiting";
/* Their number comes from the index alone, and the oldest has the smallest; what it met last is told, too. */
static const char WEBHOOKS[] = "SELECT waiting.n, " SINCE(
    "e.created_at") ", e.callback_url, e.last_error FROM (SELECT COUNT(*) n,"
                    " MIN(seq) seq FROM (SELECT seq FROM webhook_events FORCE INDEX (due) WHERE status = " SQL_EVENT_PENDING
                    " ORDER BY next_at LIMIT " SQL_QUEUE_MOST
                    ") first) waiting LEFT JOIN webhook_events e ON e.seq = waiting.seq";
static const char SWAPS_BY_CHAIN[] =
    "SELECT from_chain, status, COUNT(*), TIMESTAMPDIFF(SECOND, MIN(created_at), UTC_TIMESTAMP(3))"
    " FROM (" FOLLOWED(SQL_IN_FLIGHT) " UNION ALL " FOLLOWED(
        SQL_FOLLOW_BRIDGE) ") followed WHERE in_swaps = 1 AND " UNDER_WAY
                           " GROUP BY from_chain, status ORDER BY from_chain, status LIMIT 192";

static bool waiting_read(struct db *db, struct arena *a, const char *sql, struct queue *out)
{
    struct stmt *st = db_prepare(db, sql);

    if (db_one(st) != LOOKUP_FOUND)
        return false;
    out->waiting = col_u64(st, 0);
    out->oldest_s = col_i64(st, 1);
    if (sql == WEBHOOKS) {
        out->url = col_text(st, 2, a);
        out->error = col_text(st, 3, a);
    }
    return true;
}

static bool bridges_read(struct db *db, struct queue *out)
{
    struct bridges_figures f;

    if (!bridges_figures(db, 0, &f))
        return false;
    out->waiting = f.under_way;
    out->oldest_s = f.oldest_s;
    out->overdue_s = f.overdue_s;
    return true;
}

static bool orders_read(struct db *db, struct queue *out)
{
    int64_t waiting = order_leases_waiting(db);

    out->waiting = (uint64_t)waiting;
    out->oldest_s = out->overdue_s = order_leases_overdue(db);
    return waiting >= 0 && out->overdue_s >= 0;
}

bool queue_read(struct db *db, struct arena *a, enum queue_kind kind, struct queue *out)
{
    static const char *const names[QUEUES] = {
        [QUEUE_SWAPS] = "swaps",       [QUEUE_ORDERS] = "orders",       [QUEUE_BRIDGES] = "bridges",
        [QUEUE_WEBHOOKS] = "webhooks", [QUEUE_APPROVALS] = "approvals",
    };

    *out = (struct queue){ .name = names[kind] };
    switch (kind) {
    case QUEUE_SWAPS:
        out->overdue_s = executions_overdue(db);
        return waiting_read(db, a, SWAPS, out);
    case QUEUE_ORDERS:
        return orders_read(db, out);
    case QUEUE_BRIDGES:
        return bridges_read(db, out);
    case QUEUE_WEBHOOKS:
        out->overdue_s = events_overdue(db);
        return waiting_read(db, a, WEBHOOKS, out);
    case QUEUE_APPROVALS:
        return waiting_read(db, a, APPROVALS, out);
    }
    return false;
}

bool queues_read(struct db *db, struct arena *a, struct queue out[static QUEUES])
{
    for (enum queue_kind kind = QUEUE_SWAPS; kind <= QUEUE_APPROVALS; kind++)
        if (!queue_read(db, a, kind, &out[kind]))
            return false;
    return true;
}

int queues_swaps(struct db *db, struct arena *a, struct swaps_in_state **out)
{
    struct stmt *st = db_prepare(db, SWAPS_BY_CHAIN);
    int n = 0;

    *out = ARENA_ARRAY(a, struct swaps_in_state, ROWS_MAX);
    if (!db_query(st))
        return -1;
    while (n < ROWS_MAX && db_next(st))
        (*out)[n++] = (struct swaps_in_state){ col_u64(st, 0), (enum exec_status)col_u64(st, 1),
                                               col_u64(st, 2), col_i64(st, 3) };
    return n;
}
