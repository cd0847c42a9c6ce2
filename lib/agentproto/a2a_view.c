#include <string.h>

#include "agentproto/a2a.h"
#include "api/admission/operation.h"
#include "base/buf.h"
#include "exec/kind.h"
#include "notify/task_push.h"
#include "service/ctx.h"
#include "store/executions.h"
#include "store/tasks.h"
#include "store/transactions.h"

enum { HISTORY_MAX = 100 };

/* ---- parts and messages ---- */

static void kind_write(struct json_writer *w, enum task_version v, const char *kind)
{
    if (v == TASK_V03)
        jw_string(w, "kind", kind);
}

/* Some clients of 0.3 read the type of a part. */
static void part_kind_write(struct json_writer *w, enum task_version v, const char *kind)
{
    kind_write(w, v, kind);
    if (v == TASK_V03)
        jw_string(w, "type", kind);
}

static void text_part_write(struct json_writer *w, enum task_version v, const char *text)
{
    jw_object(w, NULL);
    part_kind_write(w, v, "text");
    jw_string(w, "text", text);
    jw_end(w);
}

static void data_part_write(struct json_writer *w, enum task_version v, const json_t *data)
{
    jw_object(w, NULL);
    part_kind_write(w, v, "data");
    jw_value(w, "data", data);
    jw_end(w);
}

/* Writes the members after the parts of a message of the task. */
static void message_close(struct json_writer *w, enum task_version v, const struct task *t)
{
    char task_id[UUID_TEXT_LEN + 1];

    uuid_text(task_id, t->id);
    jw_string(w, "taskId", task_id);
    jw_string(w, "contextId", t->context_id);
    kind_write(w, v, "message");
}

/* ---- its status ---- */

struct view {
    struct a2a_call *c;
    const struct task *task;
    struct execution execution; /* id 0: none */
    struct execution told;      /* as it was when the task ended; it may have been corrected since */
    int64_t since_ms;           /* in its state */
    struct transaction *txs;
    int ntxs;
    const void *own; /* of the execution's kind */
    json_t *body;    /* of the answer; NULL: none */
    const char *said[HISTORY_MAX];
    int nsaid;
};

static struct execution_shown shown_as(const struct view *v, const struct execution *x)
{
    return (struct execution_shown){
        .execution = x, .txs = v->txs, .tx_count = (unsigned)v->ntxs, .own = v->own
    };
}

static const char *view_sentence(const struct view *v, const struct execution *x)
{
    const struct execution_shown shown = shown_as(v, x);
    const struct task *t = v->task;

    if (v->execution.id != 0 && !task_state_is_own(t->state))
        return exec_kind_of(x->kind)->sentence(v->c->api->arena, &shown);
    if (t->state == TASK_CANCELED) /* its note is that of its last operation */
        return "The task was canceled";
    if (t->note != NULL)
        return t->note;
    return t->idle ? "Interrupted before anything was done: send the message again" : "Under way";
}

/* The body of a refusal is there for programs to branch on, and so is what an execution waits for before it
 * is signed. */
static bool view_has_data(const struct view *v)
{
    const struct task *t = v->task;

    return v->body != NULL && t->state != TASK_COMPLETED && t->state != TASK_CANCELED &&
           (v->execution.id == 0 || t->state == TASK_SUBMITTED || task_state_is_own(t->state));
}

static void status_write(struct json_writer *w, const struct view *v)
{
    enum task_version version = v->c->version;
    const struct task *t = v->task;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, t->id);
    jw_object(w, "status");
    task_status_write(w, version, t->state, v->since_ms);
    jw_object(w, "message");
    jw_string(w, "messageId", arena_printf(w->arena, "%s-%s", id, task_state_text(TASK_V03, t->state)));
    jw_string(w, "role", version == TASK_V03 ? "agent" : "ROLE_AGENT");
    jw_array(w, "parts");
    text_part_write(w, version, view_sentence(v, &v->told));
    if (view_has_data(v))
        data_part_write(w, version, v->body);
    jw_end(w);
    message_close(w, version, t);
    jw_end(w);
    jw_end(w);
}

/* ---- its result ---- */

/* The action of the task; for plain English the one that POST /execute names. */
static const char *view_action(const struct view *v)
{
    const char *operation = v->task->operation;
    const struct endpoint *ep = operation_find(operation);
    const char *action = NULL;

    if (ep != NULL && (ep->flags & SENTENCES))
        action = v->execution.id != 0 ? exec_kind_of(v->execution.kind)->name
                                      : json_string_value(json_object_get(v->body, "action"));
    return action != NULL ? action : operation;
}

/* As REST shows its status. */
static void execution_part_write(struct json_writer *w, const struct view *v)
{
    const struct execution_shown shown = shown_as(v, &v->execution);

    jw_object(w, NULL);
    part_kind_write(w, v->c->version, "data");
    jw_object(w, "data");
    exec_kind_of(v->execution.kind)->view(w, &shown);
    jw_bool(w, "success", true);
    jw_end(w);
    jw_end(w);
}

static void artifact_write(struct json_writer *w, const struct view *v)
{
    const char *kind = v->execution.id != 0 ? exec_kind_of(v->execution.kind)->name : NULL;

    jw_object(w, NULL);
    jw_string(w, "artifactId", kind != NULL ? kind : "result");
    jw_string(w, "name", kind != NULL ? kind : v->task->operation);
    jw_array(w, "parts");
    if (kind != NULL)
        execution_part_write(w, v);
    else
        data_part_write(w, v->c->version, v->body);
    text_part_write(w, v->c->version, view_sentence(v, &v->execution));
    jw_end(w);
    jw_object(w, "metadata");
    jw_string(w, "action", view_action(v));
    jw_end(w);
    jw_end(w);
}

/* ---- its history ---- */

static void said_part_write(struct json_writer *w, enum task_version version, const json_t *part)
{
    const char *key;
    json_t *v;

    jw_object(w, NULL);
    json_object_foreach((json_t *)(uintptr_t)part, key, v) jw_value(w, key, v);
    part_kind_write(w, version, json_object_get(part, "data") != NULL ? "data" : "text");
    jw_end(w);
}

static void said_write(struct json_writer *w, const struct view *v, const char *kept)
{
    enum task_version version = v->c->version;
    json_t *m = json_loads(kept, 0, NULL), *part;
    size_t i;

    jw_object(w, NULL);
    jw_value(w, "messageId", json_object_get(m, "messageId"));
    jw_string(w, "role", version == TASK_V03 ? "user" : "ROLE_USER");
    jw_array(w, "parts");
    json_array_foreach(json_object_get(m, "parts"), i, part) said_part_write(w, version, part);
    jw_end(w);
    message_close(w, version, v->task);
    if (json_object_get(m, "metadata") != NULL)
        jw_value(w, "metadata", json_object_get(m, "metadata"));
    jw_end(w);
    json_decref(m);
}

/* ---- the task ---- */

/* A task that ended when its execution failed still says so after that was corrected. */
static bool view_load_told(struct view *v)
{
    v->since_ms = v->task->updated_ms;
    v->told = v->execution;
    if (!v->execution.corrected)
        return true;
    v->told.status = EXEC_FAILED;
    return executions_failed_as(v->c->api->ctx->db, v->c->api->arena, v->execution.id, &v->told.error_message,
                                &v->since_ms) == LOOKUP_FOUND;
}

static bool view_load_own(struct view *v)
{
    struct execution_shown shown = shown_as(v, &v->execution);

    if (v->execution.id != 0 && !execution_own_read(v->c->api->ctx->db, v->c->api->arena, &shown))
        return false;
    v->own = shown.own;
    return true;
}

/* Reads everything that is needed from the database. */
static bool view_load(struct view *v, const struct a2a_show *show)
{
    struct api_call *api = v->c->api;
    const struct task *t = v->task;
    unsigned max = show->history < 0 || show->history > HISTORY_MAX ? HISTORY_MAX : (unsigned)show->history;

    if (t->execution_id != 0 &&
        executions_get(api->ctx->db, api->arena, t->agent_id, t->execution_id, &v->execution) != LOOKUP_FOUND)
        return false;
    if (t->execution_id != 0 && show->artifacts)
        v->ntxs = transactions_of(api->ctx->db, api->arena, t->execution_id, &v->txs);
    if (show->history != 0)
        v->nsaid = tasks_messages(api->ctx->db, api->arena, t->seq, max, v->said);
    return v->ntxs >= 0 && v->nsaid >= 0 && view_load_own(v) && view_load_told(v);
}

static void view_write(struct json_writer *w, const struct view *v, const struct a2a_show *show)
{
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, v->task->id);
    jw_object(w, NULL);
    jw_string(w, "id", id);
    jw_string(w, "contextId", v->task->context_id);
    status_write(w, v);
    kind_write(w, v->c->version, "task");
    if (show->artifacts) {
        jw_array(w, "artifacts");
        if (v->execution.id != 0 || (v->task->state == TASK_COMPLETED && v->body != NULL))
            artifact_write(w, v);
        jw_end(w);
    }
    if (show->history != 0) {
        jw_array(w, "history");
        for (int i = 0; i < v->nsaid; i++)
            said_write(w, v, v->said[i]);
        jw_end(w);
    }
    jw_end(w);
}

const char *a2a_task_text(struct a2a_call *c, const struct task *t, const struct a2a_show *show)
{
    struct view v = { .c = c, .task = t };
    struct json_writer w;

    if (!view_load(&v, show))
        return NULL;
    v.body = show->answer != NULL ? json_incref(show->answer)
             : t->answer != NULL  ? json_loads(t->answer, 0, NULL)
                                  : NULL;
    jw_init(&w, c->api->arena, MAX_UPSTREAM);
    view_write(&w, &v, show);
    json_decref(v.body);
    return jw_finish(&w);
}

bool a2a_task_result(struct a2a_call *c, const char *task)
{
    struct json_writer *w = &c->result;

    if (task == NULL)
        return false;
    if (c->version != TASK_V03) {
        jw_raw(w, NULL, task, strlen(task), NULL);
        return true;
    }
    jw_object(w, NULL);
    jw_members(w, task, strlen(task), NULL);
    jw_raw(w, "task", task, strlen(task), NULL);
    jw_end(w);
    return true;
}
