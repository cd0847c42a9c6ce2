#include "exec/notify.h"

#include "base/clock.h"
#include "base/fault.h"
#include "notify/task_push.h"
#include "store/events.h"
#include "store/transactions.h"
#include "swap/view.h"
#include "webhook/payload.h"

static bool add_event(struct db *db, struct arena *a, uint64_t execution_id)
{
    struct buf body = BUF_INIT(WEBHOOK_BODY_MAX);
    struct execution s;
    struct transaction *txs;
    int n;
    json_t *data;
    bool ok;
    const char *type;

    if (executions_get(db, a, 0, execution_id, &s) != 1 ||
        (n = transactions_of(db, a, execution_id, &txs)) < 0)
        return false;
    s.status = exec_listed(s.status);
    type = s.status == EXEC_COMPLETED ? "swap.completed" : "swap.failed";
    data = swap_view(a, &s, txs, (unsigned)n);
    ok = payload_write(&body, type, clock_ms(), data) && events_add(db, s.agent_id, type, buf_text(&body));
    json_decref(data);
    buf_free(&body);
    return ok;
}

static bool ends(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED || s == EXEC_EXPIRED;
}

bool execution_notify(struct db *db, struct arena *a, const struct execution_move *m)
{
    return task_push_execution_moved(db, m->id, m->from, m->to) &&
           (!ends(m->to) || STEP("outbox.add", add_event(db, a, m->id), false));
}
