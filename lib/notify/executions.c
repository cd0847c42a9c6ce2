#include "base/clock.h"
#include "base/fault.h"
#include "exec/kind.h"
#include "exec/notify.h"
#include "notify/task_push.h"
#include "store/events.h"
#include "store/transactions.h"
#include "webhook/payload.h"

static bool execution_event_add(struct db *db, struct arena *a, const struct execution_move *m)
{
    const struct exec_kind *kind = exec_kind_of(m->kind);
    struct json_writer w;
    struct execution x;
    struct transaction *txs;
    const char *type, *body;
    int n;

    if (executions_get(db, a, 0, m->id, &x) != FOUND_ONE || (n = transactions_of(db, a, m->id, &txs)) < 0)
        return false;
    x.status = exec_listed(x.status);
    type = x.status == EXEC_COMPLETED ? kind->event_completed : kind->event_failed;
    payload_open(&w, a, type, clock_ms());
    kind->view(&w, &x, txs, (unsigned)n);
    body = payload_close(&w);
    return body != NULL && events_add(db, x.agent_id, type, body);
}

static bool status_is_end(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED || s == EXEC_EXPIRED;
}

static bool tasks_push(struct db *db, const struct execution_move *m)
{
    enum task_state was = task_state_of(m->kind, m->from), is = task_state_of(m->kind, m->to);

    return was == is || task_push_execution_moved(db, m->id, is);
}

bool execution_notify(struct db *db, struct arena *a, const struct execution_move *m)
{
    return (m->untasked || tasks_push(db, m)) &&
           (!status_is_end(m->to) || STEP("outbox.add", execution_event_add(db, a, m), false));
}
