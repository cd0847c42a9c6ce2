#include "api/dispatch.h"

#include <string.h>

#include "api/endpoints.h"
#include "api/idempotency.h"
#include "api/limits.h"
#include "api/slots.h"
#include "core/hash.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"

/* ---- path and method ---- */

/* A pattern's "{…}" stands for one non-empty segment, which goes to *captured raw. */
static bool path_matches(const char *pattern, const char *path, const char **captured, size_t *len)
{
    size_t fixed = strcspn(pattern, "{");

    *captured = NULL;
    if (strncmp(pattern, path, fixed) != 0)
        return false;
    if (pattern[fixed] == '\0')
        return path[fixed] == '\0';
    *captured = path + fixed;
    *len = strcspn(*captured, "/");
    return *len > 0 && strcmp(*captured + *len, strchr(pattern, '}') + 1) == 0;
}

/* The row for the method, and all methods that the path has. */
static const struct endpoint *find(struct request *rq, unsigned *allowed)
{
    enum method wanted = rq->method == HEAD ? GET : rq->method;
    const struct endpoint *found = NULL;

    *allowed = 0;
    for (size_t i = 0; i < endpoints_count; i++) {
        const char *captured;
        size_t len;

        if (!path_matches(endpoints[i].path, rq->path, &captured, &len))
            continue;
        *allowed |= endpoints[i].method;
        if (endpoints[i].method != wanted)
            continue;
        found = &endpoints[i];
        if (captured != NULL)
            rq->captured = params_unescape(rq->arena, captured, len, false);
    }
    if (*allowed & GET)
        *allowed |= HEAD;
    *allowed |= OPTIONS;
    return found;
}

static char *method_list(struct arena *a, unsigned methods)
{
    char *list = "";

    for (unsigned m = GET; m < OTHER_METHOD; m <<= 1)
        if (methods & m)
            list = arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", method_text((enum method)m));
    return list;
}

static struct reply *options(struct request *rq, unsigned allowed)
{
    struct reply *rp = reply_empty(rq, 204);
    char *list = method_list(rq->arena, allowed);

    reply_header(rp, arena_printf(rq->arena, "Allow: %s", list));
    reply_header(rp, arena_printf(rq->arena, "Access-Control-Allow-Methods: %s", list));
    reply_header(
        rp,
        "Access-Control-Allow-Headers: Authorization, Content-Type, Accept, Idempotency-Key, X-Request-Id,"
        " MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, A2A-Version, A2A-Extensions");
    reply_header(rp, "Access-Control-Max-Age: 86400");
    return rp;
}

static struct reply *not_allowed(struct request *rq, unsigned allowed)
{
    struct reply *rp = reply_err(rq, &E_METHOD);

    reply_header(rp, arena_printf(rq->arena, "Allow: %s", method_list(rq->arena, allowed)));
    return rp;
}

/* ---- the key ---- */

/* NULL when the caller may go on. */
static const struct err *authenticate(struct request *rq, const struct endpoint *ep)
{
    const char *key = request_bearer(rq);
    struct agent *agent;
    int found;

    if (ep->auth == AUTH_NONE)
        return NULL;
    if (key == NULL || !api_key_has_form(key))
        return ep->denied;
    if (limits_guessed_enough(rq))
        return &E_RATE_LIMITED;
    agent = ARENA_NEW(rq->arena, struct agent);
    sha256(rq->key_hash, key, strlen(key));
    found = agents_by_key(rq->ctx->db, rq->arena, rq->key_hash, agent);
    if (found < 0)
        return ep->internal;
    if (found == 0)
        limits_unknown_key(rq);
    if (found == 0 || (agent->status != AGENT_ACTIVE && ep->auth != AUTH_KNOWN))
        return ep->denied;
    rq->agent = agent;
    return NULL;
}

/* ---- parameters ---- */

static struct reply *refuse_fields(struct request *rq, struct param_faults *faults)
{
    json_t *extra = json_pack("{s:O}", "fields", faults->fields);
    struct reply *rp = reply_err_with(rq, faults->first, extra);

    params_faults_free(faults);
    return rp;
}

static struct reply *refuse_root(struct request *rq, const char *what)
{
    struct param_faults faults = { NULL, NULL };

    params_fault(&faults, &E_VALIDATION, "_root", what);
    return refuse_fields(rq, &faults);
}

static struct reply *run_handler(struct request *rq, const struct endpoint *ep, const void *in)
{
    struct reply *rp = ep->handler(rq, in);

    return rp != NULL ? rp : reply_err(rq, ep->internal);
}

static struct reply *run_waiting(struct request *rq, const struct endpoint *ep, const void *in)
{
    struct reply *rp;

    if (!slots_enter(rq->ctx->slots, rq->agent->id)) {
        rp = reply_err(rq, &E_BUSY);
        reply_header(rp, "Retry-After: 1");
        return rp;
    }
    rp = run_handler(rq, ep, in);
    slots_leave(rq->ctx->slots);
    return rp;
}

/* What was done under the request's Idempotency-Key is not done again. */
static struct reply *run_once(struct request *rq, const struct endpoint *ep, const void *in)
{
    struct reply *rp = ep->flags & ONCE ? idempotency_begin(rq) : NULL;

    if (rp != NULL)
        return rp;
    rp = ep->flags & WAITS ? run_waiting(rq, ep, in) : run_handler(rq, ep, in);
    idempotency_end(rq, rp);
    return rp;
}

static struct reply *call_with(struct request *rq, const struct endpoint *ep, const json_t *object)
{
    struct param_faults faults = { NULL, NULL };
    void *in = arena_alloc(rq->arena, ep->size + 1);

    if (ep->params != NULL)
        params_read(ep->params, object, ep->method == GET, rq->ctx, in, rq->arena, &faults);
    if (faults.first != NULL)
        return refuse_fields(rq, &faults);
    return run_once(rq, ep, in);
}

static struct reply *call_handler(struct request *rq, const struct endpoint *ep)
{
    const char *what = "must be a well-formed query string";
    json_t *object = ep->method == GET ? params_query(rq->query, rq->arena) : request_json(rq, &what);
    struct reply *rp = object == NULL ? refuse_root(rq, what) : call_with(rq, ep, object);

    json_decref(object);
    return rp;
}

/* A refusal of the web server's, in our envelope. */
static struct reply *refuse_as_server(struct request *rq)
{
    switch (rq->refused) {
    case 413:
        return reply_err(rq, &E_TOO_LARGE);
    case 404:
        return reply_err(rq, &E_NOT_FOUND);
    default: /* 505 is a client's doing too */
        return rq->refused >= 500 && rq->refused != 505
                   ? reply_err(rq, &E_INTERNAL)
                   : refuse_root(rq, "must be a well-formed HTTP request");
    }
}

struct reply *dispatch(struct request *rq)
{
    unsigned allowed;
    const struct endpoint *ep = find(rq, &allowed);
    struct reply *rp;
    const struct err *e;

    if (rq->refused != 0)
        return refuse_as_server(rq);
    if (rq->method == OPTIONS)
        return options(rq, allowed);
    if (allowed == OPTIONS)
        return reply_err(rq, &E_NOT_FOUND);
    if (ep == NULL)
        return not_allowed(rq, allowed);
    rq->endpoint = ep;
    if (rq->too_large)
        return reply_err(rq, &E_TOO_LARGE);
    if (rq->body_len > 0 && ep->method != GET && !request_is_json(rq))
        return reply_err(rq, &E_MEDIA_TYPE);
    e = authenticate(rq, ep);
    if (e == NULL)
        e = limits_take(rq, ep);
    rp = e != NULL ? reply_err(rq, e) : call_handler(rq, ep);
    limits_tell(rq, rp);
    return rp;
}
