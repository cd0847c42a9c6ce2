#include "notify/approvals.h"

#include "base/clock.h"
#include "base/view.h"
#include "exec/kind.h"
#include "exec/notify.h"
#include "notify/task_push.h"
#include "policy/approval.h"
#include "store/events.h"
#include "store/tasks.h"
#include "webhook/payload.h"

/* What each decision is for callbacks, and for the tasks that wait with the execution. */
static const struct {
    const char *event;
    enum task_state task;
} told[] = {
    [APPROVAL_GRANTED] = { "approval.granted", TASK_INPUT_REQUIRED },
    [APPROVAL_DENIED] = { "approval.denied", TASK_REJECTED },
    [APPROVAL_LAPSED] = { "approval.lapsed", TASK_REJECTED },
};

json_t *approval_view(const struct approval *ap)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &ap->id);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "id", id, "status",
                     approval_state_text(ap->state), "action", exec_kind_of(ap->kind)->name, "reason",
                     ap->why, "swap_id", (json_int_t)ap->execution_id, "created_at",
                     view_time(ap->created_ms), "expires_at", view_time(ap->expires_ms), "decided_at",
                     view_time(ap->decided_ms));
}

/* What REST would answer to the approval_id, and the approval. */
static json_t *task_answer(const struct approval_news *news, const json_t *view)
{
    const struct err *refusal = news->refusal;

    if (refusal == NULL)
        return json_pack("{s:b, s:O, s:O}", "success", 1, "approval_id", json_object_get(view, "id"),
                         "approval", view);
    return json_pack("{s:b, s:s, s:s, s:s?, s:O}", "success", 0, "error", refusal->text, "error_code",
                     refusal->code, "hint", refusal->hint, "approval", view);
}

static bool approval_tasks_answer(struct db *db, struct arena *a, const struct approval_news *news,
                                  const json_t *view)
{
    const struct approval *ap = news->approval;
    json_t *answer = task_answer(news, view);
    const struct task_outcome o = { .state = told[ap->state].task,
                                    .execution_id = ap->execution_id,
                                    .note = news->why,
                                    .answer = view_dump(a, answer, 0) };
    bool ok =
        tasks_of_execution_answer(db, &o) && task_push_execution_answered(db, ap->execution_id, o.state);

    json_decref(answer);
    return ok;
}

static bool approval_event_add(struct db *db, const struct approval *ap, json_t *view)
{
    const char *type = told[ap->state].event;
    struct buf body = BUF_INIT(WEBHOOK_BODY_MAX);
    bool ok =
        payload_write(&body, type, clock_ms(), view) && events_add(db, ap->agent_id, type, buf_text(&body));

    buf_free(&body);
    return ok;
}

/* The tasks before whoever follows the execution: they have a word of their own from now on. */
bool approval_notify(struct db *db, struct arena *a, const struct approval_news *news)
{
    json_t *view = approval_view(news->approval);
    bool ok = approval_tasks_answer(db, a, news, view) && approval_event_add(db, news->approval, view);

    json_decref(view);
    return ok && (news->end == NULL || execution_notify(db, a, news->end));
}

bool approval_notify_used(struct db *db, const struct approval *ap)
{
    return tasks_of_execution_follow(db, ap->execution_id);
}
