#include "store/monitor.h"

#include "store/states.h"
#include "store/trading_halts.h"

enum { ROWS_MAX = 64 * 3 };
#define MOST "4000" /* MONITOR_MOST */

/* Of those that are followed, the ones that are due first; bridges that are followed alone, too. Until the
 * operator approves it nothing of a swap is under way, and it is due when that lapses. */
#define FOLLOWED(which)                                                                                       \
    "(SELECT from_chain, status, created_at, in_swaps, approval_id, due_at FROM executions FORCE INDEX (due)" \
    " WHERE in_flight = " which " ORDER BY due_at LIMIT " MOST ")"
static const char SWAPS[] =
    "SELECT from_chain, status, COUNT(*), TIMESTAMPDIFF(SECOND, MIN(created_at), UTC_TIMESTAMP(3)) FROM (" FOLLOWED(
        SQL_IN_FLIGHT) " UNION ALL " FOLLOWED(SQL_FOLLOW_BRIDGE) ") followed WHERE in_swaps = 1"
                                                                 " AND status < " SQL_COMPLETED
                                                                 " AND (status <> " SQL_PENDING
                                                                 " OR approval_id IS NULL"
                                                                 " OR due_at < UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE) GROUP BY from_chain, status"
                                                                 " ORDER BY from_chain, status LIMIT 192";
/* Their numbers come from the index alone, and the oldest has the smallest. */
static const char EVENTS[] =
    "SELECT waiting.n, TIMESTAMPDIFF(SECOND, e.created_at, UTC_TIMESTAMP(3)) FROM (SELECT COUNT(*) n,"
    " MIN(seq) seq FROM (SELECT seq FROM webhook_events FORCE INDEX (due) WHERE status = " SQL_EVENT_PENDING
    " ORDER BY next_at LIMIT " MOST ") first) waiting LEFT JOIN webhook_events e ON e.seq = waiting.seq";
static const char APPROVALS[] =
    "SELECT COUNT(*), TIMESTAMPDIFF(SECOND, MIN(created_at), UTC_TIMESTAMP(3)) FROM (SELECT created_at"
    " FROM approvals WHERE state = " SQL_APPROVAL_WAITING " ORDER BY created_at LIMIT " MOST ") waiting";
static const char HALTS[] =
    "SELECT SUM(agent_id = 0 AND stopped <> 0), SUM(agent_id <> 0 AND (stopped & ?) <> 0),"
    " SUM(agent_id <> 0 AND (stopped & ?) <> 0) FROM trading_stops";

int monitor_swaps(struct db *db, struct arena *a, struct swaps_standing **out)
{
    struct stmt *st = db_prepare(db, SWAPS);
    int n = 0;

    *out = ARENA_ARRAY(a, struct swaps_standing, ROWS_MAX);
    if (!db_query(st))
        return -1;
    while (n < ROWS_MAX && db_next(st))
        (*out)[n++] = (struct swaps_standing){ col_u64(st, 0), (enum exec_status)col_u64(st, 1),
                                               col_u64(st, 2), col_i64(st, 3) };
    return n;
}

static bool read_queue(struct stmt *st, struct queue_standing *out)
{
    if (db_one(st) != FOUND_ONE)
        return false;
    *out = (struct queue_standing){ col_u64(st, 0), col_i64(st, 1) };
    return true;
}

bool monitor_events(struct db *db, struct queue_standing *out)
{
    return read_queue(db_prepare(db, EVENTS), out);
}

bool monitor_approvals(struct db *db, struct queue_standing *out)
{
    return read_queue(db_prepare(db, APPROVALS), out);
}

bool monitor_halts(struct db *db, struct halts_standing *out)
{
    struct stmt *st = db_prepare(db, HALTS);

    bind_u64(st, HALT_TRADING);
    bind_u64(st, HALT_ACCESS);
    if (db_one(st) != FOUND_ONE)
        return false;
    *out = (struct halts_standing){ col_u64(st, 0) != 0, col_u64(st, 1), col_u64(st, 2) };
    return true;
}
