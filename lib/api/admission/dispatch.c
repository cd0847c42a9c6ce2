#include "api/admission/dispatch.h"

#include <string.h>
#include <strings.h>

#include "api/admission/caller.h"
#include "api/admission/idempotency.h"
#include "api/admission/limits.h"
#include "api/admission/operation.h"
#include "api/admission/origins.h"
#include "api/admission/traffic.h"
#include "api/admission/unknown_members.h"
#include "api/endpoint/call_names.h"
#include "api/endpoint/endpoint.h"
#include "base/clock.h"
#include "base/incident.h"
#include "codec/query_string.h"
#include "service/conf.h"

/* ---- path and method ---- */

/* The "{…}" of a pattern matches one non-empty segment, which *captured points to, still encoded. */
static bool path_matches(const char *pattern, const char *path, const char **captured, size_t *len)
{
    *captured = NULL;
    while (*pattern == *path && *pattern != '{' && *pattern != '\0') {
        pattern++;
        path++;
    }
    if (*pattern != '{')
        return *pattern == *path;
    *captured = path;
    *len = strcspn(*captured, "/");
    return *len > 0 && strcmp(*captured + *len, strchr(pattern, '}') + 1) == 0;
}

struct route {
    const struct endpoint *row; /* NULL: none for this method */
    unsigned allowed;           /* all methods of the path */
    bool guarded;
    bool operators;
};

/* "/webhooks/test" is that, and no id of "/webhooks/{id}". */
static struct route route_find(struct api_call *c)
{
    const struct request *rq = c->rq;
    enum method wanted = rq->method == HEAD ? GET : rq->method;
    struct route literal = { .allowed = OPTIONS }, pattern = literal;
    const char *segment = NULL;
    size_t segment_len = 0;

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        const char *captured;
        size_t len;
        struct route *r;

        if (!path_matches(ep->path, rq->path, &captured, &len))
            continue;
        r = captured != NULL ? &pattern : &literal;
        r->allowed |= ep->method | (ep->method == GET ? HEAD : 0);
        r->operators = r->operators || endpoint_audience(ep) == FOR_OPERATOR;
        r->guarded = r->guarded || (ep->flags & GUARDED) || r->operators;
        if (ep->method != wanted)
            continue;
        r->row = ep;
        if (captured != NULL) {
            segment = captured;
            segment_len = len;
        }
    }
    if (literal.allowed != OPTIONS)
        return literal;
    if (segment != NULL)
        c->captured = query_unescape(c->arena, segment, segment_len, false);
    return pattern;
}

static char *method_list(struct arena *a, unsigned methods)
{
    char *list = "";

    for (unsigned m = GET; m < OTHER_METHOD; m <<= 1)
        if (methods & m)
            list = arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", method_text((enum method)m));
    return list;
}

static struct reply *reply_options(struct request *rq, unsigned allowed)
{
    struct reply *rp = reply_empty(rq, 204);
    char *list = method_list(rq->arena, allowed);

    reply_header(rp, arena_printf(rq->arena, "Allow: %s", list));
    reply_header(rp, arena_printf(rq->arena, "Access-Control-Allow-Methods: %s", list));
    reply_header(
        rp,
        "Access-Control-Allow-Headers: Authorization, Content-Type, Accept, Prefer, Idempotency-Key, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, A2A-Version, A2A-Extensions");
    reply_header(rp, "Access-Control-Max-Age: 86400");
    return rp;
}

static struct reply *refuse_method(struct request *rq, unsigned allowed)
{
    struct reply *rp = reply_err(rq, &E_METHOD);

    reply_header(rp, arena_printf(rq->arena, "Allow: %s", method_list(rq->arena, allowed)));
    return rp;
}

/* ---- the members of a request ---- */

/* Names that begin so are no parameters: clients add them to get past caches. */
static bool is_private(const char *name)
{
    return *name == '_';
}

/* Takes what every call of agents has in its query string: whether its answer is compact. NULL after the
 * refusal. */
static json_t *query_take_form(struct api_call *c, json_t *query, struct reply **rp)
{
    static const char name[] = "compact";
    const char *said = json_string_value(json_object_get(query, name));
    struct param_faults faults = { NULL, NULL };

    if (said == NULL || !endpoint_is_documented(c->endpoint))
        return query;
    if (strcmp(said, "true") != 0 && strcmp(said, "false") != 0) {
        params_fault(&faults, &E_VALIDATION, name, "must be true or false");
        *rp = operation_refuse(c->rq, &faults);
        json_decref(query);
        return NULL;
    }
    c->compact = strcmp(said, "true") == 0;
    json_object_del(query, name);
    return query;
}

/* The other members of the query string; NULL after the refusal. */
static json_t *request_query(struct api_call *c, struct reply **rp)
{
    const char *what, *name;
    json_t *query = query_parse(c->rq->query, c->arena, &what), *value;
    void *next;

    if (query == NULL)
        *rp = operation_refuse_root(c->rq, what);
    json_object_foreach_safe(query, next, name, value)
    {
        if (is_private(name))
            json_object_del(query, name);
    }
    return query == NULL ? NULL : query_take_form(c, query, rp);
}

/* Whether the client prefers answers without what it can do without (RFC 7240). The first of several
 * preferences counts. */
static bool prefers_minimal(const struct request *rq)
{
    static const char name[] = "return", minimal[] = "minimal";
    const char *s = request_header(rq, "HTTP_PREFER");

    while (s != NULL && *s != '\0') {
        s += strspn(s, " \t,");
        if (strncasecmp(s, name, strlen(name)) == 0) {
            const char *value = s + strlen(name) + strspn(s + strlen(name), " \t=\"");

            return strncasecmp(value, minimal, strlen(minimal)) == 0;
        }
        s += strcspn(s, ",");
    }
    return false;
}

/* NULL: the row has none of that name. */
static const struct param *row_param(const struct endpoint *ep, const char *name)
{
    const struct param *p = ep->params;

    while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0)
        p++;
    return p != NULL && p->name != NULL ? p : NULL;
}

/* A member that the query string may have as well: said twice, it has to be the same. */
static void query_take(json_t *object, const char *name, json_t *value, struct param_faults *faults)
{
    const json_t *said = json_object_get(object, name);

    if (said == NULL || json_is_null(said))
        json_object_set(object, name, value);
    else if (!json_equal(said, value))
        params_fault(faults, &E_VALIDATION, name, "differs in body and query string");
}

/* Refuses members in the query string of a call that has a body: they would be ignored without notice. */
static void query_refuse(const struct api_call *c, json_t *object, const json_t *query,
                         struct param_faults *faults)
{
    const struct endpoint *ep = c->endpoint;
    const struct param *const known[] = { ep->params, NULL };
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)query, name, value)
    {
        const struct param *p = row_param(ep, name);

        if (p != NULL && p->queried)
            query_take(object, name, value, faults);
        else if (p != NULL || (ep->flags & LENIENT) == 0)
            unknown_query_refuse(known, name, c->arena, faults);
        else
            json_object_set(object, name, value);
    }
}

static struct reply *call_by_query(struct api_call *c, json_t *query)
{
    struct param_faults faults = { NULL, NULL };

    return operation_run(c, query, true, &faults);
}

/* Quantities keep the digits of numbers, which JSON's reader would turn into floating point. */
static json_t *body_read(struct api_call *c, const char **what)
{
    json_t *object = request_json(c->rq, (c->endpoint->flags & DECIMALS) != 0, what), *quoted;
    const char *ignored;

    if (object == NULL || !params_keep_digits(c->endpoint->params, object, NULL))
        return object;
    quoted = request_json(c->rq, true, &ignored);
    (void)params_keep_digits(c->endpoint->params, object, quoted);
    json_decref(quoted);
    return object;
}

static struct reply *call_by_body(struct api_call *c, const json_t *query)
{
    struct param_faults faults = { NULL, NULL };
    const char *what;
    json_t *object = body_read(c, &what);
    struct reply *rp;

    if (object == NULL)
        return operation_refuse_root(c->rq, what);
    query_refuse(c, object, query, &faults);
    rp = operation_run(c, object, false, &faults);
    json_decref(object);
    return rp;
}

/* ---- from the request to its answer ---- */

static struct reply *call_handler(struct api_call *c)
{
    struct reply *rp = NULL;
    json_t *query = request_query(c, &rp);

    if (query == NULL)
        return rp;
    if (endpoint_audience(c->endpoint) == FOR_NOBODY) /* documents and monitoring take anything */
        json_object_clear(query);
    rp = c->endpoint->method == GET ? call_by_query(c, query) : call_by_body(c, query);
    json_decref(query);
    return rp;
}

/* A refusal by the web server, in our envelope. */
static struct reply *refuse_as_server(struct request *rq)
{
    switch (rq->refused) {
    case 501: /* an unknown method, refused before the path was read */
        return refuse_method(rq, GET | POST | PATCH | DELETE | HEAD | OPTIONS);
    case 411:
        return reply_err(rq, &E_LENGTH);
    case 413:
        return reply_err(rq, &E_TOO_LARGE);
    default: /* 505 is the client's fault too */
        return rq->refused >= 500 && rq->refused != 505
                   ? reply_err(rq, &E_INTERNAL)
                   : operation_refuse_root(rq, "must be a well-formed HTTP request");
    }
}

/* For other callers, and for scripts of other pages, the operator's endpoints do not exist. */
static bool is_hidden(const struct api_call *c, const struct route *r)
{
    return r->operators && (!caller_is_from(c, c->ctx->conf->operator_from) || !origins_allow(c));
}

/* Documents and monitoring take no key. */
static bool is_exposed(const struct api_call *c, const struct route *r)
{
    bool is_open = r->row != NULL && endpoint_audience(r->row) == FOR_NOBODY && r->row->method == GET;

    return !is_open && caller_is_in_the_clear(c);
}

static const struct err *unknown_path(const struct api_call *c)
{
    const char *like = call_like(c->arena, c->rq->method, c->rq->path);

    return like == NULL ? &E_NOT_FOUND
                        : err_hint(c->arena, &E_NOT_FOUND, arena_printf(c->arena, "Did you mean %s?", like));
}

/* NULL: the path is one of ours. */
static struct reply *refuse_early(struct api_call *c, const struct route *r)
{
    struct request *rq = c->rq;
    unsigned allowed = r->allowed;

    if (rq->refused != 0)
        return refuse_as_server(rq);
    if (is_hidden(c, r))
        return reply_err(rq, &E_NOT_FOUND);
    if (is_exposed(c, r))
        return reply_err(rq, &E_IN_THE_CLEAR);
    if (rq->method == OPTIONS)
        return reply_options(rq, allowed);
    if (allowed == OPTIONS)
        return reply_err(rq, unknown_path(c));
    return NULL;
}

static struct reply *call_answer(struct api_call *c)
{
    const struct endpoint *ep = c->endpoint;
    struct request *rq = c->rq;
    const struct err *e;
    struct reply *rp;
    bool prefers;

    if (ep->flags & (ONCE | ENVELOPE))
        c->idempotency_key = idempotency_header(rq);
    if (ep->flags & ENVELOPE) {
        rp = ep->handler(c, NULL);
        return rp != NULL ? rp : reply_err(rq, ep->internal);
    }
    if (rq->too_large)
        return reply_err(rq, &E_TOO_LARGE);
    if (rq->body_len > 0 && ep->method != GET && !request_is_json(rq))
        return reply_err(rq, &E_MEDIA_TYPE);
    e = operation_admit(c, ep);
    if (e != NULL)
        return reply_err(rq, e);
    c->compact = prefers = endpoint_is_documented(ep) && prefers_minimal(rq);
    rp = call_handler(c);
    if (prefers && c->compact && reply_succeeds(rp))
        reply_header(rp, "Preference-Applied: return=minimal");
    return rp;
}

/* The web server's part of the calls (conf/lighttpd.conf, conf/apache.conf) is not the table's. */
static struct reply *refuse_misrouted(struct request *rq)
{
    log_repeated("wrong_socket", "",
                 "msg=\"a call that may wait came to the socket of those that never do\"");
    return reply_err(rq, &E_INTERNAL);
}

/* A web server may unescape a path before it chooses whom to ask: "..%2fme" is one thing to it and another to
 * us. No id is such. */
static bool id_is_path(const char *id)
{
    return id != NULL && (strcmp(id, ".") == 0 || strcmp(id, "..") == 0 || strpbrk(id, "/\\") != NULL);
}

/* The row's error for an unknown id. */
static struct reply *refuse_id(struct request *rq, const struct endpoint *ep)
{
    const struct err *const *e = ep->errors;

    while (e != NULL && *e != NULL && (*e)->status != 404)
        e++;
    return reply_err(rq, e != NULL && *e != NULL ? *e : &E_NOT_FOUND);
}

static struct reply *route_answer(struct api_call *c, const struct route *r)
{
    struct reply *rp = refuse_early(c, r);

    if (rp != NULL)
        return rp;
    if (r->row == NULL)
        return refuse_method(c->rq, r->allowed);
    if (id_is_path(c->captured))
        return refuse_id(c->rq, r->row);
    if (c->ctx->never_waits && endpoint_may_wait(r->row) && c->rq->resumed == NULL)
        return refuse_misrouted(c->rq);
    c->endpoint = r->row;
    rp = call_answer(c);
    limits_add_headers(c, rp);
    return rp;
}

/* A refusal before any limit counts against the address, so that no address gets refusals without end.
 * Refusals by a key or another limit were counted there. */
static struct reply *refusal_count(struct api_call *c, struct reply *rp)
{
    int status = reply_status(rp);
    const struct err *e;

    if (c->admitted || status < 400 || status >= 500 || status == 401 || status == 429)
        return rp;
    e = limits_refusal(c);
    if (e == NULL)
        return rp;
    rp = reply_err(c->rq, e);
    limits_add_headers(c, rp);
    return rp;
}

struct reply *dispatch(struct ctx *ctx, struct request *rq)
{
    int64_t begun = clock_mono_us();
    struct api_call c = api_call_of(ctx, rq);
    struct route r = route_find(&c);
    struct reply *rp;

    c.waits = true;
    rp = refusal_count(&c, route_answer(&c, &r));
    if (r.guarded)
        origins_add_headers(&c, rp);
    if (rq->resumed == NULL)
        traffic_count(r.row, reply_status(rp), (uint64_t)(clock_mono_us() - begun));
    return rp;
}
