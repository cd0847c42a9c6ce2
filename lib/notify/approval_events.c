#include "notify/approval_events.h"

#include "base/clock.h"
#include "exec/kind.h"
#include "exec/notify.h"
#include "notify/task_push.h"
#include "policy/approval_decision.h"
#include "store/events.h"
#include "store/tasks.h"
#include "webhook/payload.h"

/* The event of each decision for callbacks, and the state of tasks that wait with the execution. */
static const struct {
    const char *event;
    enum task_state task;
} told[] = {
    [APPROVAL_GRANTED] = { "approval.granted", TASK_INPUT_REQUIRED },
    [APPROVAL_DENIED] = { "approval.denied", TASK_REJECTED },
    [APPROVAL_LAPSED] = { "approval.lapsed", TASK_REJECTED },
};

void approval_view(struct json_writer *w, const struct approval *ap)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &ap->id);
    jw_string(w, "id", id);
    jw_string(w, "status", approval_state_text(ap->state));
    jw_string(w, "action", exec_kind_of(ap->kind)->name);
    jw_string(w, "reason", ap->why);
    if (exec_kind_of(ap->kind)->listed)
        jw_integer(w, "swap_id", (int64_t)ap->execution_id);
    else
        jw_null(w, "swap_id");
    jw_time(w, "created_at", ap->created_ms);
    jw_time(w, "expires_at", ap->expires_ms);
    jw_time(w, "decided_at", ap->decided_ms);
}

/* REST's answer to the approval_id, and the approval. */
static const char *task_answer(struct arena *a, const struct approval_news *news)
{
    const struct err *refusal = news->refusal;
    struct json_writer w;
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &news->approval->id);
    jw_init(&w, a, WEBHOOK_BODY_MAX);
    jw_object(&w, NULL);
    jw_bool(&w, "success", refusal == NULL);
    if (refusal != NULL) {
        jw_string(&w, "error", refusal->text);
        jw_string(&w, "error_code", refusal->code);
        jw_string_or_null(&w, "hint", refusal->hint);
    } else {
        jw_string(&w, "approval_id", id);
    }
    jw_object(&w, "approval");
    approval_view(&w, news->approval);
    jw_end(&w);
    jw_end(&w);
    return jw_finish(&w);
}

static bool approval_tasks_answer(struct db *db, struct arena *a, const struct approval_news *news)
{
    const struct approval *ap = news->approval;
    const struct task_outcome o = { .state = told[ap->state].task,
                                    .execution_id = ap->execution_id,
                                    .note = news->why,
                                    .answer = task_answer(a, news) };

    return o.answer != NULL && tasks_of_execution_answer(db, &o) &&
           task_push_execution_answered(db, ap->execution_id, o.state);
}

static bool approval_event_add(struct db *db, struct arena *a, const struct approval *ap)
{
    const char *type = told[ap->state].event, *body;
    struct json_writer w;

    payload_open(&w, a, type, clock_ms());
    approval_view(&w, ap);
    body = payload_close(&w);
    return body != NULL && events_add(db, ap->agent_id, type, body);
}

/* An execution that was never signed has ended for those who were shown it. */
static bool approval_end_notify(struct db *db, struct arena *a, const struct approval_news *news)
{
    bool shown = news->end != NULL && exec_kind_of(news->approval->kind)->listed;

    return !shown || executions_notify(db, a, news->end, 1);
}

/* Tasks come before the notification of the execution: they have a state of their own from now on. */
bool approval_notify(struct db *db, struct arena *a, const struct approval_news *news)
{
    return approval_tasks_answer(db, a, news) && approval_event_add(db, a, news->approval) &&
           approval_end_notify(db, a, news);
}

bool approval_notify_used(struct db *db, const struct approval *ap)
{
    return tasks_of_execution_follow(db, ap->execution_id);
}
