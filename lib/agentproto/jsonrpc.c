#include "agentproto/jsonrpc.h"

#include <string.h>

#include "api/admission/operation.h"
#include "base/buf.h"
#include "base/json_range.h"
#include "codec/query_string.h"

static const struct err no_json = {
    .status = 400, .rpc = JSONRPC_PARSE_ERROR, .code = "", .text = "Parse error"
};

static const struct err has_query = { .status = 400,
                                      .rpc = -32600,
                                      .code = "",
                                      .text =
                                          "A query string has no meaning here: send parameters in the body" };

/* ---- the query string ---- */

/* Whether it has no other name than this one; those that begin with an underscore are no parameters. */
static bool query_has_only(const struct request *rq, const char *known)
{
    const char *what, *name;
    json_t *object = query_parse(rq->query, rq->arena, &what), *value;
    bool empty = object != NULL;

    json_object_foreach(object, name, value)
    {
        empty = empty && (*name == '_' || strcmp(name, known) == 0);
    }
    json_decref(object);
    return empty;
}

/* ---- numbers of any precision ---- */

static const struct endpoint *operation_of(const json_t *v, const char *member)
{
    const char *tool = json_string_value(json_object_get(v, member));

    return tool == NULL ? NULL : operation_find(tool);
}

/* The operation that the object has arguments of, as MCP or A2A names it; NULL: none. */
static const struct endpoint *operation_called(const json_t *v)
{
    const struct endpoint *ep = operation_of(v, "name");

    if (json_object_get(v, "arguments") == NULL)
        return NULL;
    return ep != NULL ? ep : operation_of(v, "operation");
}

/* All arguments of an operation that takes decimals, or those that are quantities. */
static bool called_quote(json_t *v, const struct endpoint *ep, const json_t *quoted)
{
    const json_t *given = json_object_get(quoted, "arguments");

    if ((ep->flags & DECIMALS) == 0)
        return params_keep_digits(ep->params, json_object_get(v, "arguments"), given);
    if (given != NULL)
        json_object_set(v, "arguments", (json_t *)(uintptr_t)given);
    return true;
}

/* Takes such arguments from `quoted`, the same value with its numbers as strings. Returns whether there are
 * any; without `quoted` that is all. */
static bool arguments_quote(json_t *v, const json_t *quoted)
{
    const struct endpoint *ep = operation_called(v);
    bool any = false;
    const char *name;
    json_t *child;
    size_t i;

    if (ep != NULL)
        return called_quote(v, ep, quoted);
    json_object_foreach(v, name, child)
    {
        any = arguments_quote(child, json_object_get(quoted, name)) || any;
    }
    json_array_foreach(v, i, child)
    {
        any = arguments_quote(child, json_array_get(quoted, i)) || any;
    }
    return any;
}

/* Such operations get their numbers as in REST: as the characters that were sent. */
static void body_keep_decimals(const struct request *rq, json_t *body)
{
    const char *what;
    json_t *quoted;

    if (!arguments_quote(body, NULL))
        return;
    quoted = request_json_any(rq, true, &what);
    (void)arguments_quote(body, quoted);
    json_decref(quoted);
}

/* ---- the body ---- */

json_t *jsonrpc_body(struct request *rq, const char *parameter, struct reply **rp)
{
    const struct err *e = &no_json;
    const char *what;
    json_t *body;

    if (rq->too_large)
        e = &E_TOO_LARGE;
    else if (!request_is_json(rq))
        e = &E_MEDIA_TYPE;
    else if (!query_has_only(rq, parameter))
        e = &has_query;
    else if ((body = request_json_any(rq, false, &what)) != NULL) {
        body_keep_decimals(rq, body);
        return body;
    }
    *rp = jsonrpc_refuse(rq, NULL, e);
    return NULL;
}

/* A number out of range could not be returned as it came. */
static const json_t *message_id(const json_t *id)
{
    return json_is_string(id) || (json_is_number(id) && !json_out_of_range(id)) ? id : NULL;
}

static enum jsonrpc_kind message_kind(const json_t *message)
{
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    const json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method");
    bool result = json_object_get(message, "result") != NULL,
         error = json_object_get(message, "error") != NULL;

    if (version == NULL || strcmp(version, "2.0") != 0)
        return JSONRPC_INVALID;
    if (method == NULL && result != error)
        return JSONRPC_RESPONSE;
    if (!json_is_string(method) || (id != NULL && message_id(id) == NULL))
        return JSONRPC_INVALID;
    return id == NULL ? JSONRPC_NOTIFICATION : JSONRPC_CALL;
}

struct jsonrpc jsonrpc_read(const json_t *message)
{
    return (struct jsonrpc){ .kind = message_kind(message),
                             .id = message_id(json_object_get(message, "id")),
                             .method = json_string_value(json_object_get(message, "method")),
                             .params = json_object_get(message, "params") };
}

void jsonrpc_open(struct json_writer *w, const json_t *id)
{
    jw_object(w, NULL);
    jw_string(w, "jsonrpc", "2.0");
    if (id != NULL)
        jw_value(w, "id", id);
    else
        jw_null(w, "id");
}

void jsonrpc_open_error(struct json_writer *w, const json_t *id, int code, const char *message)
{
    jsonrpc_open(w, id);
    jw_object(w, "error");
    jw_integer(w, "code", code);
    jw_string(w, "message", message);
}

struct reply *jsonrpc_refuse(struct request *rq, const json_t *id, const struct err *e)
{
    struct json_writer w;

    jw_init(&w, rq->arena, MAX_UPSTREAM);
    jsonrpc_open_error(&w, id, e->rpc, e->text);
    jw_end(&w);
    jw_end(&w);
    return reply_refused(rq, e, &w);
}
