#include <string.h>

#include "agentproto/a2a.h"
#include "api/admission/operation.h"
#include "base/buf.h"
#include "base/view.h"
#include "exec/kind.h"
#include "notify/task_push.h"
#include "service/ctx.h"
#include "store/executions.h"
#include "store/tasks.h"
#include "store/transactions.h"

enum { HISTORY_MAX = 100 };

/* ---- parts and messages ---- */

static void name_kind(json_t *o, enum task_version v, const char *kind)
{
    if (v == TASK_V03)
        json_object_set_new(o, "kind", json_string(kind));
}

/* Some clients of 0.3 read the type of a part. */
static void name_part(json_t *p, enum task_version v, const char *kind)
{
    name_kind(p, v, kind);
    if (v == TASK_V03)
        json_object_set_new(p, "type", json_string(kind));
}

static json_t *part_json(enum task_version v, const char *kind, json_t *content)
{
    json_t *p = json_object();

    name_part(p, v, kind);
    json_object_set_new(p, kind, content);
    return p;
}

static json_t *text_part_json(enum task_version v, const char *text)
{
    return part_json(v, "text", json_string(text));
}

static json_t *message_json(enum task_version v, const struct task *t, const char *role, json_t *id,
                            json_t *parts)
{
    char task_id[UUID_TEXT_LEN + 1];
    json_t *m;

    uuid_text(task_id, t->id);
    m = json_pack("{s:o, s:s, s:o, s:s, s:s}", "messageId", id, "role", role, "parts", parts, "taskId",
                  task_id, "contextId", t->context_id);
    name_kind(m, v, "message");
    return m;
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
    json_t *body; /* of the answer; NULL: none */
    const char *said[HISTORY_MAX];
    int nsaid;
};

static const char *view_sentence(const struct view *v, const struct execution *x)
{
    const struct task *t = v->task;

    if (v->execution.id != 0 && !task_state_is_own(t->state))
        return exec_kind_of(x->kind)->sentence(v->c->api->arena, x);
    if (t->state == TASK_CANCELED) /* its note is that of its last operation */
        return "The task was canceled";
    if (t->note != NULL)
        return t->note;
    return t->idle ? "Interrupted before anything was done: send the message again" : "Under way";
}

/* The body of a refusal is there for programs to branch on, and so is what an execution waits for before it
 * is signed. */
static json_t *status_json(const struct view *v)
{
    enum task_version version = v->c->version;
    const struct task *t = v->task;
    json_t *s = task_status_json(version, t->state, v->since_ms), *parts = json_array();
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, t->id);
    json_array_append_new(parts, text_part_json(version, view_sentence(v, &v->told)));
    if (v->body != NULL && t->state != TASK_COMPLETED && t->state != TASK_CANCELED &&
        (v->execution.id == 0 || t->state == TASK_SUBMITTED || task_state_is_own(t->state)))
        json_array_append_new(parts, part_json(version, "data", json_incref(v->body)));
    json_object_set_new(s, "message",
                        message_json(version, t, version == TASK_V03 ? "agent" : "ROLE_AGENT",
                                     json_sprintf("%s-%s", id, task_state_text(TASK_V03, t->state)), parts));
    return s;
}

/* ---- its result ---- */

/* What was done; for plain English the action that POST /execute names. */
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

static json_t *artifact_json(const struct view *v, const char *id, const char *name, json_t *data)
{
    return json_pack("{s:s, s:s, s:[o, o], s:{s:s}}", "artifactId", id, "name", name, "parts",
                     part_json(v->c->version, "data", data),
                     text_part_json(v->c->version, view_sentence(v, &v->execution)), "metadata", "action",
                     view_action(v));
}

/* As REST shows its status. */
static json_t *execution_json(const struct view *v)
{
    const struct exec_kind *kind = exec_kind_of(v->execution.kind);
    struct json_writer w;

    jw_init(&w, v->c->api->arena, MAX_UPSTREAM);
    jw_make_tree(&w);
    jw_object(&w, NULL);
    kind->view(&w, &v->execution, v->txs, (unsigned)v->ntxs);
    jw_bool(&w, "success", true);
    jw_end(&w);
    return json_incref(jw_tree(&w));
}

static json_t *artifacts_json(const struct view *v)
{
    const char *kind;

    if (v->execution.id != 0) {
        kind = exec_kind_of(v->execution.kind)->name;
        return json_pack("[o]", artifact_json(v, kind, kind, execution_json(v)));
    }
    if (v->task->state == TASK_COMPLETED && v->body != NULL)
        return json_pack("[o]", artifact_json(v, "result", v->task->operation, json_incref(v->body)));
    return json_array();
}

/* ---- its history ---- */

static json_t *said_json(const struct view *v, const char *kept)
{
    enum task_version version = v->c->version;
    json_t *m = json_loads(kept, 0, NULL), *parts = json_array(), *out, *each;
    size_t i;

    json_array_foreach(json_object_get(m, "parts"), i, each)
    {
        name_part(each, version, json_object_get(each, "data") != NULL ? "data" : "text");
        json_array_append(parts, each);
    }
    out = message_json(version, v->task, version == TASK_V03 ? "user" : "ROLE_USER",
                       json_incref(json_object_get(m, "messageId")), parts);
    if (json_object_get(m, "metadata") != NULL)
        json_object_set(out, "metadata", json_object_get(m, "metadata"));
    json_decref(m);
    return out;
}

static json_t *history_json(const struct view *v)
{
    json_t *list = json_array();

    for (int i = 0; i < v->nsaid; i++)
        json_array_append_new(list, said_json(v, v->said[i]));
    return list;
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
                                &v->since_ms) == FOUND_ONE;
}

/* Reads everything that is needed from the database. */
static bool view_load(struct view *v, const struct a2a_show *show)
{
    struct api_call *api = v->c->api;
    const struct task *t = v->task;
    unsigned max = show->history < 0 || show->history > HISTORY_MAX ? HISTORY_MAX : (unsigned)show->history;

    if (t->execution_id != 0 &&
        executions_get(api->ctx->db, api->arena, t->agent_id, t->execution_id, &v->execution) != FOUND_ONE)
        return false;
    if (t->execution_id != 0 && show->artifacts)
        v->ntxs = transactions_of(api->ctx->db, api->arena, t->execution_id, &v->txs);
    if (show->history != 0)
        v->nsaid = tasks_messages(api->ctx->db, api->arena, t->seq, max, v->said);
    return v->ntxs >= 0 && v->nsaid >= 0 && view_load_told(v);
}

json_t *a2a_task_json(struct a2a_call *c, const struct task *t, const struct a2a_show *show)
{
    struct view v = { .c = c, .task = t };
    char id[UUID_TEXT_LEN + 1];
    json_t *o;

    if (!view_load(&v, show))
        return NULL;
    v.body = show->answer != NULL ? json_incref(show->answer)
             : t->answer != NULL  ? json_loads(t->answer, 0, NULL)
                                  : NULL;
    uuid_text(id, t->id);
    o = json_pack("{s:s, s:s, s:o}", "id", id, "contextId", t->context_id, "status", status_json(&v));
    name_kind(o, c->version, "task");
    if (show->artifacts)
        json_object_set_new(o, "artifacts", artifacts_json(&v));
    if (show->history != 0)
        json_object_set_new(o, "history", history_json(&v));
    json_decref(v.body);
    return o;
}

json_t *a2a_task_twice(const struct a2a_call *c, json_t *task)
{
    if (task != NULL && c->version == TASK_V03)
        json_object_set_new(task, "task", json_copy(task));
    return task;
}
