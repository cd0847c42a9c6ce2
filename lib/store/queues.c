#include "store/queues.h"

#include "store/states.h"

#define AGE(at)                                                                                              \
    "CAST(COALESCE(GREATEST(TIMESTAMPDIFF(SECOND, MIN(" at "), UTC_TIMESTAMP(3)), 0), 0) AS SIGNED)"
#define COUNT(name) "SELECT '" name "', COUNT(*), "

/* Each answers with its name, how many wait, the age of the oldest and by how much it is overdue. What waits
 * for the operator's word waits among the approvals alone. */
static const char *const queries[QUEUES] = {
    COUNT("swaps") AGE("created_at") ", " AGE("due_at") " FROM executions WHERE in_flight = " SQL_IN_FLIGHT
                                                        " AND status <= " SQL_PROCESSING
                                                        " AND (approval_id IS NULL OR status <> " SQL_PENDING
                                                        " OR due_at <= UTC_TIMESTAMP(3))",
    COUNT("orders") AGE("orders_due_at") ", " AGE(
        "orders_due_at") " FROM predict_accounts WHERE orders_due_at <= UTC_TIMESTAMP(3)",
    COUNT("bridges") AGE("e.created_at") ", " AGE(
        "b.next_ask_at") " FROM bridges b JOIN executions e ON e.id = b.execution_id WHERE e.in_flight = " SQL_FOLLOW_BRIDGE,
    COUNT("webhooks")
        AGE("created_at") ", " AGE("next_at") " FROM webhook_events WHERE status = " SQL_EVENT_PENDING,
    COUNT("approvals") AGE("created_at") ", 0 FROM approvals WHERE state = " SQL_APPROVAL_WAITING,
};
static const char *const names[QUEUES] = { "swaps", "orders", "bridges", "webhooks", "approvals" };

bool queues_read(struct db *db, struct queue out[static QUEUES])
{
    for (int i = 0; i < QUEUES; i++) {
        struct stmt *st = db_prepare(db, queries[i]);

        if (db_one(st) != FOUND_ONE)
            return false;
        out[i] = (struct queue){ names[i], col_u64(st, 1), col_i64(st, 2), col_i64(st, 3) };
    }
    return true;
}
