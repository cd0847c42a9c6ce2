#include "policy/approval.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/view.h"
#include "exec/notify.h"
#include "notify/task_push.h"
#include "store/approvals.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/tasks.h"
#include "webhook/payload.h"

json_t *approval_view(const struct approval *ap)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &ap->id);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "id", id, "status",
                     approval_state_text(ap->state), "action", "swap", "reason", ap->why, "swap_id",
                     (json_int_t)ap->execution_id, "created_at", view_time(ap->created_ms), "expires_at",
                     view_time(ap->expires_ms), "decided_at", view_time(ap->decided_ms));
}

/* ---- the decision ---- */

/* What each means for the swap, and for the tasks that wait with it. */
static const struct meaning {
    const char *event;
    const char *why;
    const struct err *refusal; /* NULL: the swap goes on waiting, for the agent now */
    enum task_state task;
    enum exec_status swap;
} meanings[] = {
    [APPROVAL_GRANTED] = { "approval.granted", "Approved: execute_swap with the approval_id carries it out",
                           NULL, TASK_INPUT_REQUIRED, EXEC_PENDING },
    [APPROVAL_DENIED] = { "approval.denied", "The operator did not approve it; nothing was signed",
                          &E_APPROVAL_DENIED, TASK_REJECTED, EXEC_FAILED },
    [APPROVAL_LAPSED] = { "approval.lapsed", "Not approved and executed in time; nothing was signed",
                          &E_APPROVAL_EXPIRED, TASK_REJECTED, EXEC_EXPIRED },
};

struct decision {
    struct arena *arena;
    uint64_t execution_id, agent_id;
    enum approval_state to;
    /* set anew by each run */
    struct approval ap; /* as it was */
    bool gone;          /* with its agent, while its swap is left */
};

static const struct meaning *meaning_of(const struct decision *d)
{
    return &meanings[d->to];
}

/* The approval decides: whoever changes its state may go on. */
static int move(struct db *db, struct decision *d)
{
    int found = approvals_of_execution(db, d->arena, d->execution_id, &d->ap);

    d->gone = found == 0 && d->to == APPROVAL_LAPSED;
    if (found != 1)
        return d->gone ? 1 : found;
    return approvals_move(db, &d->ap, d->to);
}

static struct execution_move end_of(const struct decision *d)
{
    const struct meaning *m = meaning_of(d);

    return (struct execution_move){ .id = d->execution_id,
                                    .agent_id = d->agent_id,
                                    .from = EXEC_PENDING,
                                    .to = m->swap,
                                    .why = m->why,
                                    .error_code = m->refusal->code,
                                    .error_message = m->why };
}

static bool end_swap(struct db *db, const struct decision *d)
{
    struct execution_move end;

    if (meaning_of(d)->refusal == NULL)
        return true;
    end = end_of(d);
    return executions_move(db, &end) >= 0 && executions_settle(db, d->execution_id, FOLLOW_NOT);
}

/* What REST would answer to the approval_id, and the approval. */
static json_t *task_answer(const struct meaning *m, const json_t *view)
{
    if (m->refusal == NULL)
        return json_pack("{s:b, s:O, s:O}", "success", 1, "approval_id", json_object_get(view, "id"),
                         "approval", view);
    return json_pack("{s:b, s:s, s:s, s:s?, s:O}", "success", 0, "error", m->refusal->text, "error_code",
                     m->refusal->code, "hint", m->refusal->hint, "approval", view);
}

static bool tell_tasks(struct db *db, const struct decision *d, const json_t *view)
{
    const struct meaning *m = meaning_of(d);
    json_t *answer = task_answer(m, view);
    const struct task_outcome o = { .state = m->task,
                                    .execution_id = d->execution_id,
                                    .note = m->why,
                                    .answer = view_dump(d->arena, answer, 0) };
    bool ok = tasks_of_execution_answer(db, &o) && task_push_execution_answered(db, d->execution_id, m->task);

    json_decref(answer);
    return ok;
}

static bool add_event(struct db *db, const struct decision *d, json_t *view)
{
    const char *type = meaning_of(d)->event;
    struct buf body = BUF_INIT(WEBHOOK_BODY_MAX);
    bool ok =
        payload_write(&body, type, clock_ms(), view) && events_add(db, d->agent_id, type, buf_text(&body));

    buf_free(&body);
    return ok;
}

/* The tasks before whoever asked about the swap: they have a word of their own from now on. */
static bool tell(struct db *db, const struct decision *d)
{
    struct approval now;
    json_t *view;
    bool ok;

    if (d->gone)
        return true;
    if (approvals_of_execution(db, d->arena, d->execution_id, &now) != 1)
        return false;
    view = approval_view(&now);
    ok = tell_tasks(db, d, view) && approvals_count_move(db, &d->ap, d->to) && add_event(db, d, view);
    json_decref(view);
    return ok;
}

static bool tell_of_swap(struct db *db, const struct decision *d)
{
    struct execution_move end;

    if (meaning_of(d)->refusal == NULL)
        return true;
    end = end_of(d);
    return execution_notify(db, d->arena, &end);
}

static enum tx_verdict decide_tx(struct db *db, void *arg)
{
    struct decision *d = arg;
    int moved = move(db, d);

    if (moved <= 0)
        return moved < 0 ? TX_FAILED : TX_ROLLBACK;
    return end_swap(db, d) && tell(db, d) && tell_of_swap(db, d) ? TX_COMMIT : TX_FAILED;
}

static int decide(struct db *db, struct arena *a, const struct approval *ap, enum approval_state to)
{
    struct decision d = { .arena = a, .execution_id = ap->execution_id, .agent_id = ap->agent_id, .to = to };

    return db_outcome(db_transact(db, decide_tx, &d));
}

int approval_grant(struct db *db, struct arena *a, const struct approval *ap)
{
    return decide(db, a, ap, APPROVAL_GRANTED);
}

int approval_deny(struct db *db, struct arena *a, const struct approval *ap)
{
    return decide(db, a, ap, APPROVAL_DENIED);
}

void approval_lapse(struct db *db, struct arena *a, const struct execution *s)
{
    const struct approval its = { .execution_id = s->id, .agent_id = s->agent_id };

    if (s->status == EXEC_PENDING)
        (void)decide(db, a, &its, APPROVAL_LAPSED); /* looked at again when it failed */
}

bool approval_used(struct db *db, const struct approval *ap)
{
    return tasks_of_execution_follow(db, ap->execution_id) && approvals_count_move(db, ap, APPROVAL_USED);
}
