#include "base/clock.h"
#include "base/fault.h"
#include "exec/kind.h"
#include "exec/notify.h"
#include "notify/task_push.h"
#include "store/events.h"
#include "store/transactions.h"
#include "webhook/payload.h"

/* NULL: no event is sent. */
static const char *event_type(enum exec_kind_id kind, enum exec_status end)
{
    const struct exec_kind *k = exec_kind_of(kind);

    return end == EXEC_COMPLETED ? k->event_completed : k->event_failed;
}

static const char *event_body(struct arena *a, const char *type, const struct execution_shown *x)
{
    struct json_writer w;

    payload_open(&w, a, type, clock_ms());
    exec_kind_of(x->execution->kind)->view(&w, x);
    return payload_close(&w);
}

/* Executions that have ended, as they are now. */
struct ended {
    struct execution *list;
    struct transaction *txs; /* in the order of their executions */
    int count, tx_count;
};

static bool ended_read(struct db *db, struct arena *a, const uint64_t *ids, size_t n, struct ended *out)
{
    out->count = executions_get_all(db, a, ids, n, &out->list);
    out->tx_count = transactions_of_all(db, a, ids, n, &out->txs);
    return out->count == (int)n && out->tx_count >= 0;
}

static bool ended_draft(struct db *db, struct arena *a, const struct ended *e, uint64_t id,
                        struct event_draft *out)
{
    struct execution_shown shown;
    struct execution *x = e->list;

    while (x->id != id)
        x++;
    shown = (struct execution_shown){ .execution = x };
    /* Its place and number among all of these. */
    int first = 0, last;

    while (first < e->tx_count && e->txs[first].effect.execution_id != id)
        first++;
    for (last = first; last < e->tx_count && e->txs[last].effect.execution_id == id;)
        last++;
    shown.tx_count = (unsigned)(last - first);
    shown.txs = e->txs + first;
    x->status = exec_listed(x->status);
    out->agent_id = x->agent_id;
    out->type = event_type(x->kind, x->status);
    if (!execution_own_read(db, a, &shown))
        return false;
    out->body = event_body(a, out->type, &shown);
    return out->body != NULL;
}

static bool ended_events_add(struct db *db, struct arena *a, const uint64_t *ids, size_t n)
{
    struct event_draft drafts[EXECUTIONS_AT_ONCE];
    struct ended e;

    if (n == 0)
        return true;
    if (!ended_read(db, a, ids, n, &e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!ended_draft(db, a, &e, ids[i], &drafts[i]))
            return false;
    return STEP("outbox.add", events_add_all(db, drafts, n), false);
}

static bool status_is_end(enum exec_status s)
{
    return s == EXEC_COMPLETED || s == EXEC_FAILED || s == EXEC_EXPIRED;
}

static bool tasks_push(struct db *db, const struct execution_move *m)
{
    enum task_state was = task_state_of(m->from), is = task_state_of(m->to);

    return was == is || task_push_execution_moved(db, m->id, is);
}

bool executions_notify(struct db *db, struct arena *a, const struct execution_move *moves, size_t n)
{
    uint64_t ended[EXECUTIONS_AT_ONCE];
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (!moves[i].untasked && !tasks_push(db, &moves[i]))
            return false;
        if (status_is_end(moves[i].to) && event_type(moves[i].kind, moves[i].to) != NULL)
            ended[count++] = moves[i].id;
    }
    return ended_events_add(db, a, ended, count);
}
