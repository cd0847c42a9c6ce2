#include "api/admission/operation.h"

#include <string.h>

#include "api/admission/idempotency.h"
#include "api/admission/limits.h"
#include "api/admission/members.h"
#include "base/view.h"
#include "codec/hash.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "net/slots.h"
#include "store/agents.h"

static const char IDEMPOTENCY_ARGUMENT[] = "idempotency_key";

/* ---- which ---- */

/* What clients of services of this kind call the same. */
static const struct {
    const char *older, *now;
} older_names[] = {
    { "list_chains", "get_chains" },
    { "list_tokens", "get_tokens" },
    { "get_swap_history", "list_swaps" },
    { "predict_markets", "search_prediction_markets" },
    { "predict_market", "get_prediction_market" },
    { "predict_market_detail", "get_prediction_market" },
    { "predict_book", "get_prediction_book" },
    { "predict_price", "get_prediction_price" },
    { "predict_trades", "get_prediction_trades" },
}, older_arguments[] = { { "swap_id", "swapId" }, { "market_id", "id" } };

const struct endpoint *operation_find(const char *tool)
{
    for (size_t i = 0; i < sizeof older_names / sizeof older_names[0]; i++)
        if (strcmp(older_names[i].older, tool) == 0)
            tool = older_names[i].now;
    for (size_t i = 0; i < endpoints_count; i++)
        if (endpoints[i].tool != NULL && strcmp(endpoints[i].tool, tool) == 0)
            return &endpoints[i];
    return NULL;
}

/* ---- the key and the limit ---- */

/* A deactivated agent's key opens what is there for it, a banned one's nothing. */
static bool opens(const struct agent *a, const struct endpoint *ep)
{
    return !a->banned && (a->status == AGENT_ACTIVE || ep->auth == AUTH_KNOWN);
}

enum { NO_KEY = -2 };

/* Whose key was sent: 1, 0 nobody's, -1 the database failed, NO_KEY. */
static int look_up(struct request *rq, struct agent *out)
{
    const char *key = request_bearer(rq);

    if (key == NULL || !api_key_has_form(key))
        return NO_KEY;
    sha256(rq->key_hash, key, strlen(key));
    return agents_by_key(rq->ctx->db, rq->arena, rq->key_hash, out);
}

bool operation_of_agent(struct request *rq)
{
    struct agent agent;

    return look_up(rq, &agent) == 1;
}

/* NULL when the caller may go on. */
static const struct err *authenticate(struct request *rq, const struct endpoint *ep)
{
    struct agent *agent;
    int found;

    if (ep->auth == AUTH_NONE)
        return NULL;
    agent = ARENA_NEW(rq->arena, struct agent);
    found = look_up(rq, agent);
    if (found < 0)
        return found == NO_KEY ? ep->denied : ep->internal;
    if (found == 0) {
        const struct err *e = limits_unknown_key(rq);

        return e != NULL ? e : ep->denied;
    }
    if (!opens(agent, ep))
        return ep->denied;
    rq->agent = agent;
    return NULL;
}

const struct err *operation_admit(struct request *rq, const struct endpoint *ep)
{
    const struct err *e = authenticate(rq, ep);

    if (e == NULL)
        e = limits_take(rq, ep);
    rq->admitted = e == NULL;
    return e;
}

/* ---- parameters ---- */

struct reply *operation_refuse(struct request *rq, struct param_faults *faults)
{
    json_t *extra = json_pack("{s:O}", "fields", faults->fields);
    struct reply *rp = reply_err_with(rq, faults->first, extra);

    params_faults_free(faults);
    return rp;
}

struct reply *operation_refuse_root(struct request *rq, const char *what)
{
    struct param_faults faults = { NULL, NULL };

    params_fault(&faults, &E_VALIDATION, "_root", what);
    return operation_refuse(rq, &faults);
}

/* ---- the handler ---- */

static struct reply *run_handler(struct request *rq, const struct endpoint *ep, const void *in)
{
    struct reply *rp = ep->handler(rq, in);

    return rp != NULL ? rp : reply_err(rq, ep->internal);
}

static struct reply *run_waiting(struct request *rq, const struct endpoint *ep, const void *in)
{
    struct reply *rp;

    if ((ep->flags & WAITS) == 0)
        return run_handler(rq, ep, in);
    if (!slots_enter(rq->ctx->slots, rq->agent->id))
        return reply_err(rq, &E_BUSY);
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
    rp = run_waiting(rq, ep, in);
    idempotency_end(rq, rp);
    return rp;
}

/* `faults` are those that were found before. */
static struct reply *run_with(struct request *rq, const struct endpoint *ep, const json_t *object, bool query,
                              struct param_faults *faults)
{
    void *in = arena_alloc(rq->arena, ep->size + 1);

    members_check(ep->params, object, rq->arena, faults);
    if (ep->params != NULL)
        params_read(ep->params, object, query, rq->ctx, in, rq->arena, faults);
    if (faults->first != NULL)
        return operation_refuse(rq, faults);
    return rq->part ? run_waiting(rq, ep, in) : run_once(rq, ep, in);
}

struct reply *operation_run(struct request *rq, const struct endpoint *ep, const json_t *object, bool query)
{
    struct param_faults faults = { NULL, NULL };

    return run_with(rq, ep, object, query, &faults);
}

/* ---- on behalf of another protocol ---- */

const char *operation_path_argument(struct arena *a, const struct endpoint *ep)
{
    const char *open = strchr(ep->path, '{');

    return open == NULL ? NULL : arena_strndup(a, open + 1, strcspn(open + 1, "}"));
}

/* The text of an argument that stands in the path; NULL with the fault noted. */
static const char *path_text(struct request *rq, const char *name, const json_t *value,
                             struct param_faults *faults)
{
    if (json_is_integer(value))
        return arena_printf(rq->arena, "%lld", (long long)json_integer_value(value));
    if (json_is_string(value) && json_string_length(value) > 0)
        return arena_strdup(rq->arena, json_string_value(value));
    if (value == NULL || json_is_null(value) || json_is_string(value))
        params_fault(faults, err_fmt(rq->arena, &E_REQUIRED, name, NULL), name, "is required");
    else
        params_fault(faults, &E_VALIDATION, name, "must be a string or a whole number");
    return NULL;
}

/* The argument that goes into the path, under its own name or an older one. */
static const json_t *path_value(const json_t *arguments, const char *name)
{
    const json_t *value = json_object_get(arguments, name);

    for (size_t i = 0; value == NULL && i < sizeof older_arguments / sizeof older_arguments[0]; i++)
        if (strcmp(older_arguments[i].now, name) == 0)
            value = json_object_get(arguments, older_arguments[i].older);
    return value;
}

/* The members that REST has in its body or query string: all but the path's. */
static json_t *take_path(struct request *inner, const json_t *arguments, struct param_faults *faults)
{
    const char *path = inner->endpoint->path, *name = operation_path_argument(inner->arena, inner->endpoint);
    json_t *rest = json_copy((json_t *)arguments);

    inner->path = path;
    inner->captured = NULL;
    if (name == NULL)
        return rest;
    inner->captured = path_text(inner, name, path_value(arguments, name), faults);
    inner->path = arena_printf(inner->arena, "%.*s%s%s", (int)strcspn(path, "{"), path,
                               inner->captured == NULL ? "" : inner->captured, strchr(path, '}') + 1);
    json_object_del(rest, name);
    return rest;
}

static void set_body(struct request *inner, const json_t *members)
{
    inner->body = view_dump(inner->arena, members, 0);
    inner->body_len = strlen(inner->body);
}

/* What only another protocol has among the arguments may be mistyped too. */
static void check_own_arguments(struct request *inner, const json_t *arguments, struct param_faults *faults)
{
    const char *name = operation_path_argument(inner->arena, inner->endpoint);
    struct param own[3] = { { .name = NULL } };
    size_t n = 0;

    if (name != NULL && path_value(arguments, name) == NULL)
        own[n++].name = name;
    if ((inner->endpoint->flags & ONCE) && inner->idempotency_key == NULL)
        own[n++].name = IDEMPOTENCY_ARGUMENT;
    members_check(own, arguments, inner->arena, faults);
}

/* The request as REST would have had it. */
static struct reply *call_inner(struct request *inner, const json_t *arguments)
{
    struct param_faults faults = { NULL, NULL };
    json_t *members;
    struct reply *rp;

    check_own_arguments(inner, arguments, &faults);
    members = take_path(inner, arguments, &faults);
    set_body(inner, members);
    rp = run_with(inner, inner->endpoint, members, false, &faults);
    json_decref(members);
    return rp;
}

void operation_take_key(struct request *rq, const struct endpoint *ep, json_t *arguments)
{
    const json_t *key = ep->flags & ONCE ? json_object_get(arguments, IDEMPOTENCY_ARGUMENT) : NULL;

    rq->idempotency_key = NULL;
    if (key != NULL && !json_is_null(key)) /* one that is no text is a bad key */
        rq->idempotency_key = json_is_string(key) ? arena_strdup(rq->arena, json_string_value(key)) : "";
    json_object_del(arguments, IDEMPOTENCY_ARGUMENT);
}

/* The call that all of a request's work was entrusted to may have a key of its own. */
static bool has_own_key(const struct request *rq)
{
    return rq->entrusted && rq->idempotency_key != NULL;
}

/* The key that the request was admitted with does for this row too. */
static bool admitted_for(const struct request *rq, const struct endpoint *ep)
{
    if (!rq->admitted || ep->auth == AUTH_NONE)
        return rq->admitted;
    return rq->agent != NULL && opens(rq->agent, ep);
}

struct reply *operation_call(struct request *rq, const struct endpoint *ep, const json_t *arguments)
{
    struct request inner = *rq;
    const struct err *e;

    inner.endpoint = ep;
    inner.method = ep->method;
    inner.query = "";
    inner.called = true;
    inner.part = rq->part || (rq->idempotency != NULL && !has_own_key(rq));
    inner.idempotency = rq->entrusted || rq->dress != NULL ? rq->idempotency : NULL;
    inner.entrusted = false;
    e = admitted_for(rq, ep) ? NULL : operation_admit(&inner, ep);
    rq->limit = inner.limit;
    return e != NULL ? reply_err(&inner, e) : call_inner(&inner, arguments);
}
