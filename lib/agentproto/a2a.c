#include "agentproto/a2a.h"

#include <string.h>

#include "agentproto/jsonrpc.h"
#include "api/admission/operation.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "codec/query_string.h"

/* Codes begin at -32001, as the specification of this service has them; "Unsupported Operation" is -32002
 * there and in 0.3, and -32004 in 1.0. */
const struct err A2A_PARAMS = {
    .status = 200, .rpc = JSONRPC_INVALID_PARAMS, .code = "INVALID_PARAMS", .text = "Invalid params"
};
const struct err A2A_METHOD_UNKNOWN = {
    .status = 200, .rpc = JSONRPC_METHOD_NOT_FOUND, .code = "METHOD_NOT_FOUND", .text = "Method not found"
};
const struct err A2A_TASK_NOT_FOUND = {
    .status = 200, .rpc = -32001, .code = "TASK_NOT_FOUND", .text = "Task not found"
};
const struct err A2A_NOT_CANCELABLE = { .status = 200,
                                        .rpc = -32002,
                                        .code = "TASK_NOT_CANCELABLE",
                                        .text = "Unsupported Operation: task cannot be canceled" };
const struct err A2A_UNSUPPORTED = {
    .status = 200, .rpc = -32004, .code = "UNSUPPORTED_OPERATION", .text = "Unsupported Operation"
};
const struct err A2A_CONTENT_TYPE = { .status = 200,
                                      .rpc = -32005,
                                      .code = "CONTENT_TYPE_NOT_SUPPORTED",
                                      .text = "Only text and data parts are understood" };
const struct err A2A_VERSION = { .status = 200,
                                 .rpc = -32009,
                                 .code = "VERSION_NOT_SUPPORTED",
                                 .text = "Versions 1.0 and 0.3 are spoken here" };
static const struct err no_extended_card = { .status = 200,
                                             .rpc = -32007,
                                             .code = "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
                                             .text = "There is no extended card" };
static const struct err no_json = {
    .status = 200, .rpc = JSONRPC_PARSE_ERROR, .code = "PARSE_ERROR", .text = "Parse error"
};
static const struct err no_request = {
    .status = 200, .rpc = JSONRPC_INVALID_REQUEST, .code = "INVALID_REQUEST", .text = "Invalid Request"
};

enum { UNSUPPORTED_V03 = -32002 };

static const struct a2a_method {
    const char *name;
    enum task_version version;
    a2a_method_fn *run;
} methods[] = {
    { "message/send", TASK_V03, a2a_send },
    { "message/stream", TASK_V03, a2a_no_stream },
    { "tasks/get", TASK_V03, a2a_get },
    { "tasks/list", TASK_V03, a2a_list },
    { "tasks/cancel", TASK_V03, a2a_cancel },
    { "tasks/resubscribe", TASK_V03, a2a_no_stream },
    { "tasks/pushNotificationConfig/set", TASK_V03, a2a_push_set },
    { "tasks/pushNotificationConfig/get", TASK_V03, a2a_push_get },
    { "tasks/pushNotificationConfig/list", TASK_V03, a2a_push_list },
    { "tasks/pushNotificationConfig/delete", TASK_V03, a2a_push_delete },
    { "agent/getAuthenticatedExtendedCard", TASK_V03, a2a_no_extended_card },
    { "SendMessage", TASK_V10, a2a_send },
    { "SendStreamingMessage", TASK_V10, a2a_no_stream },
    { "GetTask", TASK_V10, a2a_get },
    { "ListTasks", TASK_V10, a2a_list },
    { "CancelTask", TASK_V10, a2a_cancel },
    { "SubscribeToTask", TASK_V10, a2a_no_stream },
    { "CreateTaskPushNotificationConfig", TASK_V10, a2a_push_set },
    { "GetTaskPushNotificationConfig", TASK_V10, a2a_push_get },
    { "ListTaskPushNotificationConfigs", TASK_V10, a2a_push_list },
    { "DeleteTaskPushNotificationConfig", TASK_V10, a2a_push_delete },
    { "GetExtendedAgentCard", TASK_V10, a2a_no_extended_card },
};

static const struct a2a_method *method_find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

bool a2a_no_stream(struct a2a_call *c, const struct err **e)
{
    (void)c;
    *e = &A2A_UNSUPPORTED;
    return false;
}

bool a2a_no_extended_card(struct a2a_call *c, const struct err **e)
{
    (void)c;
    *e = &no_extended_card;
    return false;
}

/* ---- errors ---- */

const struct err *a2a_bad(struct arena *a, const char *field, const char *what)
{
    struct err *e = arena_memdup(a, &A2A_PARAMS, sizeof A2A_PARAMS);

    e->base = &A2A_PARAMS;
    e->field = field;
    e->text = arena_printf(a, "Invalid params: %s %s", field, what);
    return e;
}

/* The id of the task that the params are about, if they have a well-formed one; else NULL. Nothing else that
 * they say is repeated. */
static const char *task_named(struct arena *a, const json_t *params)
{
    const json_t *named[] = { json_object_get(json_object_get(params, "message"), "taskId"),
                              json_object_get(params, "taskId"), json_object_get(params, "id") };
    char text[UUID_TEXT_LEN + 1];
    struct uuid id;

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (json_is_string(named[i]) && uuid_parse(&id, json_string_value(named[i]))) {
            uuid_text(text, id);
            return arena_strdup(a, text);
        }
    }
    return NULL;
}

static void violation_write(struct json_writer *w, const struct err *e)
{
    jw_string(w, "@type", "type.googleapis.com/google.rpc.BadRequest");
    jw_array(w, "fieldViolations");
    jw_object(w, NULL);
    jw_string(w, "field", e->field);
    jw_string(w, "description", e->text);
    jw_end(w);
    jw_end(w);
}

/* The hint goes with the task that the error is about. */
static void reason_write(struct json_writer *w, const struct err *e, const json_t *params)
{
    jw_string(w, "@type", "type.googleapis.com/google.rpc.ErrorInfo");
    jw_string(w, "reason", e->code);
    jw_string(w, "domain", "a2a-protocol.org");
    jw_object(w, "metadata");
    jw_string_if(w, "taskId", task_named(w->arena, params));
    jw_string_if(w, "hint", e->hint);
    jw_end(w);
}

static void error_data_write(struct json_writer *w, const struct err *e, const json_t *params)
{
    jw_array(w, "data");
    jw_object(w, NULL);
    if (e->field != NULL)
        violation_write(w, e);
    else
        reason_write(w, e, params);
    jw_end(w);
    jw_end(w);
}

static struct reply *message_refuse(struct request *rq, const struct jsonrpc *message, enum task_version v,
                                    const struct err *e)
{
    bool v03 = v == TASK_V03;
    struct json_writer w;

    jw_init(&w, rq->arena, MAX_UPSTREAM);
    jsonrpc_open_error(&w, message->id, v03 && e == &A2A_UNSUPPORTED ? UNSUPPORTED_V03 : e->rpc, e->text);
    if (!v03 || e->status == 401) /* before a key is admitted no version is known */
        error_data_write(&w, e, message->params);
    jw_end(&w);
    jw_end(&w);
    return reply_refused(rq, e, &w);
}

/* ---- a request ---- */

/* 0.3 has no such header. Which version is spoken, the method's name says. */
static bool version_is_served(const struct request *rq)
{
    const char *asked = request_header(rq, "HTTP_A2A_VERSION");
    const char *what;
    json_t *query = asked == NULL ? query_parse(rq->query, rq->arena, &what) : NULL;
    bool served;

    if (query != NULL)
        asked = json_string_value(json_object_get(query, "A2A-Version"));
    served = asked == NULL || *asked == '\0' || strcmp(asked, "1") == 0 || strncmp(asked, "1.", 2) == 0 ||
             strncmp(asked, "0.3", 3) == 0;
    json_decref(query);
    return served;
}

/* The result as JSON; NULL with the error. */
static const char *method_run(struct a2a_call *c, const struct a2a_method *m, const struct err **e)
{
    *e = &E_INTERNAL;
    jw_init(&c->result, c->api->arena, MAX_UPSTREAM);
    if (json_is_object(c->params))
        return m->run(c, e) ? jw_finish(&c->result) : NULL;
    *e = a2a_bad(c->api->arena, "params", "must be an object");
    return NULL;
}

static struct reply *method_call(struct api_call *api, const struct a2a_method *m,
                                 const struct jsonrpc *message)
{
    json_t *none = json_object();
    struct a2a_call c = { api, m->version, message->params == NULL ? none : message->params, { 0 } };
    const struct err *e;
    const char *result = method_run(&c, m, &e);
    struct json_writer w;

    json_decref(none);
    if (result == NULL)
        return message_refuse(api->rq, message, m->version, e != NULL ? e : &E_INTERNAL);
    jw_init(&w, api->arena, MAX_UPSTREAM);
    jsonrpc_open(&w, message->id);
    jw_raw(&w, "result", result, c.result.len, NULL);
    jw_end(&w);
    return reply_written(api->rq, 200, &w);
}

/* A request without an id gets no answer, so nothing is done for it. */
static struct reply *message_answer(struct api_call *api, const struct jsonrpc *message)
{
    const struct a2a_method *m = message->kind == JSONRPC_CALL ? method_find(message->method) : NULL;
    enum task_version v = m != NULL ? m->version : TASK_V03;

    if (message->kind != JSONRPC_CALL)
        return message_refuse(api->rq, message, v, &no_request);
    if (!version_is_served(api->rq))
        return message_refuse(api->rq, message, TASK_V10, &A2A_VERSION);
    return m == NULL ? message_refuse(api->rq, message, v, &A2A_METHOD_UNKNOWN)
                     : method_call(api, m, message);
}

/* The operation of a message's first data part; NULL: none. The message itself is checked later. */
static const struct endpoint *operation_asked(const json_t *params)
{
    const json_t *parts = json_object_get(json_object_get(params, "message"), "parts"), *data = NULL;
    const char *name;

    for (size_t i = 0; data == NULL && i < json_array_size(parts); i++)
        data = json_object_get(json_array_get(parts, i), "data");
    name = json_string_value(json_object_get(data, "operation"));
    return name == NULL ? NULL : operation_find(name);
}

/* The row whose key the request needs: a deactivated agent may send messages for the operations that are open
 * to deactivated agents. */
static const struct endpoint *row_to_admit(const struct api_call *api, const struct jsonrpc *message)
{
    const struct a2a_method *m = message->kind == JSONRPC_CALL ? method_find(message->method) : NULL;
    const struct endpoint *asked = m != NULL && m->run == a2a_send ? operation_asked(message->params) : NULL;

    return asked != NULL && asked->auth == AUTH_KNOWN ? asked : api->endpoint;
}

static struct reply *post_a2a(struct api_call *api, const void *arg)
{
    struct reply *rp = NULL;
    json_t *body = jsonrpc_body(api->rq, "A2A-Version", &rp);
    struct jsonrpc message = jsonrpc_read(body);
    const struct err *e;

    (void)arg;
    api->rq->values = true; /* what became of a task is read from its answer */
    if (rp != NULL && reply_error(rp)->rpc != JSONRPC_PARSE_ERROR) /* size, type, query string */
        return rp;
    e = operation_admit(api, row_to_admit(api, &message));
    if (e != NULL)
        rp = message_refuse(api->rq, &message, TASK_V03, e);
    else
        rp = body == NULL ? message_refuse(api->rq, &message, TASK_V03, &no_json)
                          : message_answer(api, &message);
    json_decref(body);
    return rp;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = "/a2a",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = post_a2a,
        .flags = ENVELOPE,
        .summary = "A2A, versions 1.0 and 0.3",
    },
};

const struct endpoint_group a2a_endpoints = { ENDPOINT_ROWS(rows) };
