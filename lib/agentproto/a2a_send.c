/* A message becomes a task, exactly once: the task and its message are committed first, then what the message
 * asks for is done, and the transaction that does it also writes the task's answer. A message that is sent
 * again finds its task; if the first request died before anything was done, the message is run again. */
#include <stdlib.h>
#include <string.h>

#include "agentproto/a2a.h"
#include "agentproto/a2a_conversation.h"
#include "agentproto/a2a_message.h"
#include "agentproto/a2a_push.h"
#include "api/admission/idempotency.h"
#include "api/admission/limits.h"
#include "api/admission/operation.h"
#include "api/admission/worker_leases.h"
#include "api/documents/offered.h"
#include "api/endpoint/call_names.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/compact.h"
#include "base/fault.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "model/agent.h"
#include "notify/task_push.h"
#include "service/conf.h"
#include "service/ctx.h"
#include "service/disk.h"
#include "store/approvals.h"
#include "store/tasks.h"

enum {
    LEASE_S = 30, /* longer than any request takes */
};

struct send {
    struct a2a_call *c;
    struct a2a_message m;
    struct task_message row; /* m's */
    struct task task;
    struct uuid run;
    struct task_room room;
    const struct endpoint *ep; /* of the message, with its arguments */
    json_t *arguments;
    struct a2a_conversation conversation; /* the messages before it included */
    struct task_outcome outcome;
    json_t *shown; /* the answer with its secrets, for this reply alone; borrowed */
};

/* ---- the outcome ---- */

/* Secrets go to the caller only, and are stored nowhere. */
static void secrets_strip(json_t *v)
{
    json_t *child;
    const char *key;
    void *next;

    json_object_del(v, "api_key");
    json_object_del(v, "webhook_secret");
    json_object_foreach_safe(v, next, key, child)
    {
        secrets_strip(child);
    }
}

/* The operation that was done: for a sentence, the one behind the action that was understood. NULL: help. */
static const struct endpoint *endpoint_done(const struct endpoint *ep, const json_t *body)
{
    const char *action = json_string_value(json_object_get(body, "action"));

    return (ep->flags & SENTENCES) && action != NULL ? offered_endpoint(action) : ep;
}

/* The execution that the operation began; 0: none. */
static uint64_t execution_begun(const struct send *s, const json_t *body)
{
    const struct endpoint *done = endpoint_done(s->ep, body);

    if (done == NULL || done->begins.kind == 0)
        return 0;
    if (done != s->ep)
        body = json_object_get(body, "result");
    return done->begins.execution(s->c->api, done->begins.kind, body);
}

/* Whether another message of the same task can supply what was missing. */
static bool error_asks_for_more(const struct err *e)
{
    static const struct err *const lacks[] = { &E_REQUIRED, &E_QUOTE_ID_REQUIRED, &E_WALLET_NOT_FOUND,
                                               &E_WALLET_NOT_YOURS };

    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (err_is(e, lacks[i]))
            return true;
    return false;
}

static enum task_state outcome_state(const struct reply *answer, uint64_t execution_id, bool asks)
{
    if (reply_succeeds(answer))
        return execution_id != 0 ? TASK_WORKING : TASK_COMPLETED;
    if (asks)
        return TASK_INPUT_REQUIRED;
    if (reply_status(answer) >= 500)
        return TASK_FAILED;
    return error_asks_for_more(reply_error(answer)) ? TASK_INPUT_REQUIRED : TASK_REJECTED;
}

/* The answer of a success as a sentence, as long as that is not too long. */
static const char *answer_sentence(struct arena *a, const struct endpoint *ep, const json_t *body)
{
    const char *sentence = ep->sentence == NULL ? NULL : ep->sentence(a, NULL, body);

    if (sentence != NULL && strlen(sentence) <= TASK_NOTE_MAX)
        return sentence;
    return arena_printf(a, "%s: done", ep->summary);
}

/* The text of a refusal may repeat what the caller wrote, at any length. What a command still needs is said
 * in its hint. */
static const char *outcome_note(const struct send *s, struct reply *answer)
{
    const struct err *e = reply_error(answer);
    json_t *body = reply_value(answer);
    const char *why = json_string_value(json_object_get(body, "error")); /* a 200 may have one too */

    if (s->conversation.asks != NULL && err_is(e, &E_COMMAND))
        why = e->hint;
    if (why == NULL)
        return answer_sentence(s->c->api->arena, s->ep, body);
    return strlen(why) <= TASK_NOTE_MAX ? arena_strdup(s->c->api->arena, why) : "Refused";
}

/* Whether it is a list, which may grow, or a document. */
static bool is_list(const struct endpoint *ep, const json_t *body)
{
    const struct endpoint *done = endpoint_done(ep, body);

    return done != NULL && (done->flags & LISTS) != 0;
}

/* The answer as it is kept. Lists, documents and long answers can be asked for again and are left out. */
static const char *answer_kept(const struct send *s, const struct reply *answer, json_t *kept)
{
    struct arena *a = s->c->api->arena;
    const char *text = jw_text_of(a, kept, JSON_REAL_PRECISION(15));

    if (!reply_succeeds(answer) && strlen(text) > TASK_ANSWER_MAX) {
        json_object_del(kept, "fields"); /* as many as the caller sent members */
        return jw_text_of(a, kept, JSON_REAL_PRECISION(15));
    }
    if (!reply_succeeds(answer) || (!is_list(s->ep, kept) && strlen(text) <= TASK_ANSWER_MAX))
        return text;
    json_t *result = json_object_get(kept, "result");

    json_object_clear(result != NULL ? result : kept);
    json_object_set_new(kept, "success", json_true());
    json_object_set_new(kept, "left_out",
                        json_string("Lists and documents are not kept with a task: ask again"));
    return jw_text_of(a, kept, JSON_REAL_PRECISION(15));
}

/* An approval that was granted but could not be used, perhaps for its price, may be used until it expires:
 * returns its execution, else 0. */
static uint64_t execution_granted(const struct send *s)
{
    const struct api_call *api = s->c->api;
    const char *text = json_string_value(json_object_get(s->conversation.arguments, "approval_id"));
    struct approval ap;
    struct uuid id;

    if (s->ep->begins.kind == 0 || text == NULL || !approval_id_parse(&id, text))
        return 0;
    return approvals_get(api->ctx->db, api->arena, api->agent->id, &id, &ap) == LOOKUP_FOUND &&
                   ap.state == APPROVAL_GRANTED && !ap.expired
               ? ap.execution_id
               : 0;
}

static void outcome_set(struct send *s, struct reply *answer)
{
    bool success = reply_succeeds(answer);
    json_t *full = reply_value(answer);
    json_t *body = success ? compact_value(s->c->api->arena, s->ep, full) : full;
    json_t *kept = a2a_scrubbed(body), *whole;
    /* A refusal may name an execution too: the one that won the race. */
    uint64_t execution_id = success ? execution_begun(s, full) : 0,
             granted = success ? 0 : execution_granted(s);

    secrets_strip(kept);
    tools_name_in(s->c->api->arena, kept);
    /* The answer with its secrets, or a refusal with the names of calls as they are here. */
    whole = success ? body : json_in_arena(s->c->api->arena, json_copy((json_t *)(uintptr_t)kept));
    s->outcome = (struct task_outcome){ .seq = s->task.seq,
                                        .run = &s->run,
                                        .state = outcome_state(answer, execution_id,
                                                               granted != 0 || s->conversation.asks != NULL),
                                        .execution_id = granted != 0 ? granted : execution_id,
                                        .note = outcome_note(s, answer),
                                        .answer = answer_kept(s, answer, kept) };
    s->shown = json_equal(kept, whole) ? NULL : whole; /* long ones are kept in part */
    json_decref(kept);
}

/* Moves of an execution are pushed as they come (notify/task_push.h). */
static enum db_update outcome_push(struct send *s, enum db_update written)
{
    struct task moved = s->task;

    if (written != UPDATED || (s->outcome.execution_id != 0 && !task_state_is_own(s->outcome.state)))
        return written;
    moved.state = s->outcome.state;
    return task_push_moved(s->c->api->ctx->db, &moved) ? UPDATED : DB_ERROR;
}

static enum db_update outcome_keep(void *arg, struct reply *answer)
{
    struct send *s = arg;

    outcome_set(s, answer);
    return outcome_push(s, tasks_keep(s->c->api->ctx->db, &s->outcome));
}

static enum tx_verdict outcome_end_tx(struct db *db, void *arg)
{
    struct send *s = arg;
    enum db_update ended = outcome_push(s, tasks_end(db, &s->outcome));

    return ended == DB_ERROR ? TX_FAILED : TX_COMMIT; /* UNCHANGED: it was kept with the work */
}

/* ---- earlier messages ---- */

/* A message may supply only what the task asked for; the rest is in the messages before it. With an approval
 * they do not matter. */
static bool conversation_load(struct send *s)
{
    struct api_call *api = s->c->api;
    bool alone = s->m.task_id == NULL || json_object_get(s->arguments, "approval_id") != NULL;
    const char *said[CONVERSATION_MAX];
    int n = alone ? 0 : tasks_messages(api->ctx->db, api->arena, s->task.seq, CONVERSATION_MAX, said);

    s->conversation = (struct a2a_conversation){ .a = api->arena };
    for (int i = 0; i + 1 < n; i++) /* the last one is this message */
        a2a_conversation_add_kept(&s->conversation, said[i]);
    a2a_conversation_add(&s->conversation, s->ep, s->arguments);
    return n >= 0;
}

/* ---- the work ---- */

static bool is_limit(const struct err *e)
{
    return e != NULL && e->status == 429;
}

/* The error to answer with when nothing was done and the message may be sent again; else NULL. */
static const struct err *work_put_off(const struct reply *rp)
{
    const struct err *e = reply_error(rp);

    return is_limit(e) || err_is(e, &E_IN_PROGRESS) ? e : NULL;
}

/* Nothing is done when the message leaves something to ask. An operation that looks at no key is limited by
 * the caller's address, as in REST. */
static struct reply *work_call(struct send *s)
{
    struct api_call *api = s->c->api, work = api_call_for(api, s->ep);
    bool is_open = s->ep->auth == AUTH_NONE && s->ep->denied == NULL;
    struct reply *rp;

    if (s->conversation.asks != NULL)
        return reply_err(api->rq, s->conversation.asks);
    if (is_open) {
        work.agent = NULL;
        work.admitted = false;
    }
    idempotency_keep(&work, outcome_keep, s);
    rp = operation_call(&work, s->conversation.arguments);
    if (!is_open || is_limit(reply_error(rp)))
        api->limit = work.limit;
    return rp;
}

static const struct err *work_run(struct send *s)
{
    struct api_call *api = s->c->api;
    const struct err *e;
    struct reply *rp;

    worker_leases_hold_task(api->ctx->leases, s->task.seq, &s->run);
    (void)FAULT("a2a.begun");
    if (!conversation_load(s))
        return &E_INTERNAL;
    rp = work_call(s);
    (void)FAULT("a2a.done");
    e = work_put_off(rp);
    if (e != NULL)
        return tasks_undo(api->ctx->db, &s->task, &s->row, &s->run) ? e : &E_INTERNAL;
    outcome_set(s, rp);
    return db_transact(api->ctx->db, outcome_end_tx, s) == TX_DONE ? NULL : &E_INTERNAL;
}

/* ---- the task of a message ---- */

/* The operation that carries out what was approved. One that there is not is refused by the operation; which
 * one makes no difference then. NULL: the database failed. */
static const struct endpoint *approval_operation(const struct send *s)
{
    struct api_call *api = s->c->api;
    struct approval ap = { .kind = KIND_SWAP };
    struct uuid id;

    if (approval_id_parse(&id, s->m.approval_id) &&
        approvals_get(api->ctx->db, api->arena, api->agent->id, &id, &ap) == LOOKUP_ERROR)
        return NULL;
    return endpoints_find_kind(ap.kind);
}

static const char *unknown_operation(struct arena *a, const char *name)
{
    const char *like = tools_like(a, name);

    return like == NULL ? "is unknown; the agent card and /llms.txt name them"
                        : arena_printf(a, "is unknown: did you mean %s?", like);
}

/* Chooses the operation and its arguments. Text is a command in plain English. */
static const struct err *operation_choose(struct send *s)
{
    const struct a2a_message *m = &s->m;
    struct arena *a = s->c->api->arena;

    s->ep = m->operation != NULL     ? operation_find(m->operation)
            : m->approval_id != NULL ? approval_operation(s)
                                     : a2a_plain_operation();
    if (s->ep == NULL && m->operation == NULL)
        return &E_INTERNAL;
    if (s->ep == NULL)
        return a2a_bad(a, "operation", unknown_operation(a, m->operation));
    if (m->operation == NULL && m->approval_id != NULL)
        s->arguments = json_pack("{s:s}", "approval_id", m->approval_id);
    else if (m->operation == NULL)
        s->arguments = json_pack("{s:s}", "command", m->text);
    else
        s->arguments = m->arguments == NULL ? json_object() : json_incref((json_t *)(uintptr_t)m->arguments);
    return s->arguments == NULL ? a2a_bad(a, "parts", "must be well-formed text") : NULL;
}

/* A message that was sent before gets its task as it is; it is run again if its first request died. */
static const struct err *task_repeat(struct send *s, bool same)
{
    struct api_call *api = s->c->api;
    enum db_update resumed;

    if (!same)
        return a2a_bad(api->arena, "messageId", "was used for another message");
    if (!s->task.idle)
        return NULL;
    resumed = tasks_resume(api->ctx->db, s->task.seq, &s->run, LEASE_S);
    return resumed == UPDATED ? work_run(s) : resumed == UNCHANGED ? NULL : &E_INTERNAL;
}

/* Whether the message was sent before; if so, or if the database failed, *e is the outcome. */
static bool task_was_there(struct send *s, const struct err **e)
{
    struct api_call *api = s->c->api;
    bool same;
    enum lookup known = tasks_by_message(api->ctx->db, api->arena, api->agent->id, &s->row, &s->task, &same);

    if (known != LOOKUP_NONE)
        *e = known == LOOKUP_FOUND ? task_repeat(s, same) : &E_INTERNAL;
    return known != LOOKUP_NONE;
}

/* `written` is UNCHANGED when another request was first, with this message or with another one for the task.
 */
static const struct err *work_run_when(struct send *s, enum db_update written, const struct err *otherwise)
{
    const struct err *e = otherwise;

    if (written == UPDATED)
        return work_run(s);
    if (written == QUOTA_FULL)
        return s->room.full == QUOTA_PUSHES ? &E_QUOTA_PUSHES : &E_QUOTA_TASKS;
    if (written == DB_ERROR)
        return &E_INTERNAL;
    (void)task_was_there(s, &e);
    return e;
}

static const struct err *task_start(struct send *s)
{
    struct api_call *api = s->c->api;
    char *context = arena_alloc(api->arena, UUID_TEXT_LEN + 1);
    struct task_push push;

    if (disk_is_low() && (s->ep->flags & FREES) == 0)
        return &E_STORAGE;
    uuid_text(context, uuid_random());
    s->task = (struct task){ .id = uuid_random(),
                             .agent_id = api->agent->id,
                             .context_id = s->m.context_id != NULL ? s->m.context_id : context,
                             .operation = s->ep->tool };
    if (s->m.has_push)
        push = a2a_push_row(s->c, &s->task, &s->m.push);
    return work_run_when(
        s,
        tasks_add(api->ctx->db, &s->task, &s->row, s->m.has_push ? &push : NULL, &s->run, LEASE_S, &s->room),
        &E_IN_PROGRESS);
}

/* A task continues only if it asked for something. */
static const struct err *task_continue(struct send *s)
{
    struct api_call *api = s->c->api;
    struct uuid id;
    enum lookup found = uuid_parse(&id, s->m.task_id)
                            ? tasks_get(api->ctx->db, api->arena, api->agent->id, &id, &s->task)
                            : LOOKUP_NONE;

    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE ? &A2A_TASK_NOT_FOUND : &E_INTERNAL;
    if (s->m.context_id != NULL && strcmp(s->m.context_id, s->task.context_id) != 0)
        return a2a_bad(api->arena, "contextId", "is not the task's");
    if (s->task.state != TASK_INPUT_REQUIRED)
        return &A2A_UNSUPPORTED;
    s->task.operation = s->ep->tool;
    return work_run_when(s, tasks_continue(api->ctx->db, &s->task, &s->row, &s->run, LEASE_S, &s->room),
                         &A2A_UNSUPPORTED);
}

static const struct err *message_carry_out(struct send *s)
{
    const struct err *e;

    if (task_was_there(s, &e))
        return e;
    return s->m.task_id != NULL ? task_continue(s) : task_start(s);
}

/* ---- the answer ---- */

static const struct err *task_reread(struct send *s)
{
    struct api_call *api = s->c->api;
    struct uuid id = s->task.id;

    return tasks_get(api->ctx->db, api->arena, api->agent->id, &id, &s->task) == LOOKUP_FOUND ? NULL
                                                                                              : &E_INTERNAL;
}

static bool task_is_under_way(const struct task *t)
{
    return !task_state_ends(t->state) && t->state != TASK_INPUT_REQUIRED;
}

/* How long the message waits: as long as its arguments say, or the operator, if the client wants that. */
static unsigned wait_ms_of(const struct send *s)
{
    const json_t *said = json_object_get(s->m.arguments, "wait");
    json_int_t seconds =
        json_is_string(said) ? strtol(json_string_value(said), NULL, 10) : json_integer_value(said);

    if (said == NULL || json_is_null(said))
        return s->m.wait ? s->c->api->ctx->conf->a2a_wait_ms : 0;
    return seconds < 0 ? 0 : (unsigned)(seconds < WAIT_MAX_S ? seconds : WAIT_MAX_S) * 1000;
}

/* Marks the request as one whose answer may come when the task has ended. */
static const struct err *task_wait(struct send *s)
{
    struct api_call *api = s->c->api;
    const struct err *e = task_reread(s);
    char *id = arena_alloc(api->arena, UUID_TEXT_LEN + 1);

    if (e != NULL || s->task.execution_id == 0 || !task_is_under_way(&s->task))
        return e;
    uuid_text(id, s->task.id);
    api->rq->wait = (struct request_wait){
        .ms = wait_ms_of(s), .execution = s->task.execution_id, .agent_id = api->agent->id, .begun = id
    };
    return NULL;
}

static bool send_result(struct send *s)
{
    struct a2a_show show = { .history = s->m.history, .artifacts = true, .answer = s->shown };
    const char *task = a2a_task_text(s->c, &s->task, &show);
    struct json_writer *w = &s->c->result;

    if (task == NULL || s->c->version == TASK_V03)
        return a2a_task_result(s->c, task);
    jw_object(w, NULL);
    jw_raw(w, "task", task, strlen(task), NULL);
    jw_end(w);
    return true;
}

/* The task of a message that has waited. */
static bool task_resume(struct send *s, const struct err **e)
{
    struct uuid id;

    *e = &E_INTERNAL;
    if (uuid_parse(&id, s->c->api->rq->resumed)) {
        s->task.id = id;
        *e = task_reread(s);
    }
    return *e == NULL && send_result(s);
}

static uint64_t quota_of(const struct a2a_call *c, enum quota kind)
{
    return limits_quota(c->api, kind);
}

bool a2a_send(struct a2a_call *c, const struct err **e)
{
    struct send s = { .c = c,
                      .run = uuid_random(),
                      .room = { quota_of(c, QUOTA_TASK_BYTES), quota_of(c, QUOTA_PUSHES), QUOTAS } };

    *e = a2a_message_read(&s.m, c->params, c->version, a2a_guard(c->api), c->api->arena);
    if (*e == NULL && strlen(s.m.kept) > quota_of(c, QUOTA_MESSAGE_BYTES))
        *e = &E_QUOTA_MESSAGE;
    if (*e != NULL)
        return false;
    if (c->api->rq->resumed != NULL)
        return task_resume(&s, e);
    s.row.body = s.m.kept;
    memcpy(s.row.id, s.m.id_hash, HASH_LEN);
    memcpy(s.row.fingerprint, s.m.fingerprint, HASH_LEN);
    *e = operation_choose(&s);
    if (*e == NULL)
        *e = message_carry_out(&s);
    json_decref(s.arguments);
    a2a_conversation_end(&s.conversation);
    if (*e == NULL)
        *e = task_wait(&s);
    if (*e != NULL)
        return false;
    *e = &E_INTERNAL;
    return send_result(&s);
}
