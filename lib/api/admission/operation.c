#include "api/admission/operation.h"

#include <math.h>
#include <string.h>

#include "api/admission/approved_terms.h"
#include "api/admission/idempotency.h"
#include "api/admission/limits.h"
#include "api/admission/terms.h"
#include "api/admission/unknown_members.h"
#include "api/admission/waiting.h"
#include "api/endpoint/compact.h"
#include "base/json_writer.h"
#include "codec/hash.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "model/operator_token.h"
#include "net/bulkhead.h"
#include "store/agents.h"
#include "store/db.h"
#include "store/operator_tokens.h"

enum { TOOL_BYTES = 80 * 1024 }; /* what a tool may answer with: some 25,000 tokens */

static const char IDEMPOTENCY_ARGUMENT[] = "idempotency_key";

/* ---- names ---- */

/* The names that clients know from similar services. */
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
    { "predict_quote", "quote_prediction" },
    { "lend_markets", "get_lending_markets" },
    { "lend_market", "get_lending_market" },
    { "perps_markets", "get_perps_markets" },
    { "perps_quote", "quote_perps" },
    { "perps_positions", "list_perps_positions" },
};

/* The same of arguments, on rows below that path. */
static const struct {
    const char *older, *now, *path;
} older_arguments[] = {
    { "swap_id", "swapId", "/swap/status/" },
    { "market_id", "id", "/market/" },
    { "chain_id", "chainId", "/lend/" },
};

const struct endpoint *operation_find(const char *tool)
{
    for (size_t i = 0; i < sizeof older_names / sizeof older_names[0]; i++)
        if (strcmp(older_names[i].older, tool) == 0)
            tool = older_names[i].now;
    return endpoints_find_tool(tool);
}

/* ---- a database that takes no writes ---- */

enum { REFUSES_S = 5 };

/* The specification's 500, with words on when to ask again, where nothing was written. */
static const struct err *failure_explain(const struct api_call *c, const struct err *e)
{
    if (e == NULL || e->status != 500 || !db_refuses(c->ctx->db))
        return e;
    return err_wait(
        c->arena, e, REFUSES_S,
        "The database takes no writes just now and nothing was done: repeat the same request in a few"
        " seconds");
}

static struct reply *reply_explain(struct api_call *c, struct reply *rp)
{
    const struct err *e = reply_error(rp), *explained = failure_explain(c, e);

    return explained == e ? rp : reply_err(c->rq, explained);
}

/* ---- the key and the limit ---- */

/* The key of a deactivated agent opens AUTH_KNOWN rows, that of a banned agent nothing. */
static bool agent_opens(const struct agent *a, const struct endpoint *ep)
{
    return !a->banned && (a->status == AGENT_ACTIVE || ep->auth == AUTH_KNOWN);
}

/* The refusal of a key that does not open the row. The right key of a deactivated agent is told so, in the
 * wording that the row has; a banned agent's is refused like an unknown one. */
static const struct err *agent_refusal(const struct agent *a, const struct endpoint *ep)
{
    return a->banned ? ep->denied : endpoint_inactive(ep);
}

/* NULL when none was sent that could be one. */
static const char *key_of(const struct api_call *c, bool (*has_form)(const char *text))
{
    const char *key = request_bearer(c->rq);

    return key != NULL && has_form(key) ? key : NULL;
}

/* Finds the agent of the key. */
static enum lookup agent_look_up(struct api_call *c, const char *key, struct agent *out)
{
    sha256(c->key_hash, key, strlen(key));
    return agents_by_key(c->ctx->db, c->arena, c->key_hash, out);
}

bool operation_has_agent_key(struct api_call *c, struct agent *out)
{
    const char *key = key_of(c, api_key_has_form);
    enum lookup found = key == NULL ? LOOKUP_NONE : agent_look_up(c, key, out);

    if (key != NULL && found == LOOKUP_NONE)
        (void)limits_unknown_key(c);
    return found == LOOKUP_FOUND;
}

/* A key that is not needed may have to be valid if it is sent. */
static bool key_counts(const struct api_call *c, const struct endpoint *ep)
{
    return ep->denied != NULL && request_header(c->rq, "HTTP_AUTHORIZATION") != NULL;
}

/* The token is unknown; NULL would let the caller proceed. */
static const struct err *refuse_unknown(struct api_call *c, const struct endpoint *ep)
{
    const struct err *e = limits_unknown_key(c);

    return e != NULL ? e : ep->denied;
}

static const struct err *operator_authenticate(struct api_call *c, const struct endpoint *ep)
{
    struct operator_token *token = ARENA_NEW(c->arena, struct operator_token);
    const char *text = key_of(c, operator_token_has_form);
    uint8_t digest[HASH_LEN];
    enum lookup found;

    if (text == NULL)
        return ep->denied;
    sha256(digest, text, strlen(text));
    found = operator_tokens_find(c->ctx->db, digest, token);
    if (found == LOOKUP_ERROR)
        return ep->internal;
    if (found == LOOKUP_NONE)
        return refuse_unknown(c, ep);
    if (token->read_only && ep->method != GET)
        return &E_READ_ONLY;
    c->operator= token;
    return NULL;
}

/* NULL when the caller may proceed. */
static const struct err *call_authenticate(struct api_call *c, const struct endpoint *ep)
{
    const char *key = key_of(c, api_key_has_form);
    struct agent *agent;
    enum lookup found;

    if (ep->auth == AUTH_OPERATOR)
        return operator_authenticate(c, ep);
    if (ep->auth == AUTH_NONE && !key_counts(c, ep))
        return NULL;
    if (key == NULL)
        return ep->denied;
    agent = ARENA_NEW(c->arena, struct agent);
    found = agent_look_up(c, key, agent);
    if (found == LOOKUP_ERROR)
        return ep->internal;
    if (found == LOOKUP_NONE)
        return refuse_unknown(c, ep);
    if (!agent_opens(agent, ep))
        return agent_refusal(agent, ep);
    c->agent = agent;
    c->rq->agent = &agent->uuid;
    return NULL;
}

const struct err *operation_admit(struct api_call *c, const struct endpoint *ep)
{
    const struct err *e;

    db_work_begin(c->ctx->db);
    e = call_authenticate(c, ep);
    if (e == NULL)
        e = limits_take(c, ep);
    c->admitted = e == NULL;
    return failure_explain(c, e);
}

/* ---- parameters ---- */

struct reply *operation_refuse(struct request *rq, struct param_faults *faults)
{
    struct reply *rp = reply_close(reply_err_open(rq, faults->first, faults->fields));

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

static struct reply *call_run_handler(struct api_call *c, const void *in)
{
    const struct json_left_out *around = c->rq->left_out;
    struct reply *rp;

    /* A record has the whole answer, for repeats of any form. */
    c->rq->left_out = c->compact && c->record == NULL && c->endpoint->result_of == NULL
                          ? compact_left_out(c->endpoint)
                          : NULL;
    rp = c->endpoint->handler(c, in);
    c->rq->left_out = around;
    return rp != NULL ? rp : reply_err(c->rq, c->endpoint->internal);
}

static struct reply *call_run_waiting(struct api_call *c, const void *in)
{
    struct bulkhead *bulkhead = c->ctx->bulkhead;
    uint64_t agent = c->agent != NULL ? c->agent->id : BULKHEAD_ANYBODY;
    unsigned flags = c->endpoint->flags;
    struct reply *rp;

    if ((flags & (WAITS | TESTS)) == 0)
        return call_run_handler(c, in);
    if (flags & TESTS   ? !bulkhead_test_enter(bulkhead, agent)
        : flags & FREES ? !bulkhead_enter_to_free(bulkhead, agent)
                        : !bulkhead_enter(bulkhead, agent))
        return reply_err(c->rq, &E_BUSY);
    rp = call_run_handler(c, in);
    if (flags & TESTS)
        bulkhead_test_leave(bulkhead);
    else
        bulkhead_leave(bulkhead);
    return rp;
}

/* A call that goes on after a 202 does so with the approval that was waited for. */
static struct reply *call_run_on(struct api_call *c, void *in)
{
    const char **approval = terms_text_at(c, in, "approval_id");

    if (approval != NULL && idempotency_approval(c) != NULL)
        *approval = idempotency_approval(c);
    return call_run_waiting(c, in);
}

/* Work under an Idempotency-Key is not done again, nor is any of a call that has waited. NULL: it could not
 * be read. */
static struct reply *call_run_recorded(struct api_call *c, void *in)
{
    struct reply *rp = waiting_resumed(c);

    if (rp != NULL || (c->rq->resumed != NULL && c->endpoint->method != GET))
        return rp;
    if ((c->endpoint->flags & ONCE) == 0 || c->idempotency_key == NULL)
        return call_run_on(c, in);
    rp = idempotency_begin(c, in);
    if (rp != NULL)
        return rp;
    rp = call_run_on(c, in);
    idempotency_end(c, rp);
    return rp;
}

static struct reply *call_run_once(struct api_call *c, const json_t *object, void *in)
{
    struct reply *rp;

    db_work_begin(c->ctx->db);
    rp = waiting_answer(c, object, in, reply_explain(c, call_run_recorded(c, in)));
    if (c->compact && reply_succeeds(rp))
        rp = reply_leave_out(rp, c->endpoint->result_of == NULL
                                     ? compact_left_out(c->endpoint)
                                     : compact_left_out_of(c->arena, c->endpoint, reply_value(rp)));
    return rp != NULL ? rp : reply_err(c->rq, c->endpoint->internal);
}

/* A lenient row without other faults reports the members that it ignores. */
static struct reply *call_run_lenient(struct api_call *c, const struct param *const *known,
                                      const json_t *object, void *in)
{
    json_t *ignored = unknown_members_list(known, object, c->arena);
    struct reply *rp;

    c->ignored = ignored;
    rp = call_run_once(c, object, in);
    c->ignored = NULL;
    json_decref(ignored);
    return rp;
}

static bool is_given(const json_t *object, const struct param *p)
{
    const json_t *v = json_object_get(object, p->name);

    return v != NULL && (!json_is_null(v) || p->kind == P_NULLABLE);
}

/* Adds the known names to the error of a call that has members, though under other names. */
static const struct err *lack_explain(struct arena *a, const struct param *const *known, const json_t *object,
                                      const struct err *e)
{
    const char *names = unknown_members_hint(a, known);

    if (e == NULL || json_object_size(object) == 0)
        return e;
    return err_hint(a, e, e->hint == NULL ? names : arena_printf(a, "%s. %s", e->hint, names));
}

/* Notes what is missing and has words of its own, where the handler would tell it: before members that are
 * not known. */
static void lack_note(const struct api_call *c, const struct param *const *known, const json_t *object,
                      struct param_faults *faults)
{
    const struct endpoint *ep = c->endpoint;
    const struct param *lack = NULL;
    bool any = false;

    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++) {
        if (p->beside != NULL && is_given(object, p))
            return;
        any = any || (!p->aside && is_given(object, p));
        if (!p->required && p->absent != NULL && !is_given(object, p))
            lack = p;
    }
    if (lack != NULL)
        params_fault(faults, lack_explain(c->arena, known, object, lack->absent), lack->name, "is required");
    else if (!any && faults->first == NULL)
        faults->first = lack_explain(c->arena, known, object, ep->nothing);
}

/* `faults` holds those found so far, near misses among them. */
static struct reply *call_run_with(struct api_call *c, const struct param *const *known, const json_t *object,
                                   bool query, struct param_faults *faults)
{
    const struct endpoint *ep = c->endpoint;
    void *in = endpoint_input(c->arena, ep);
    struct reply *rp;

    if (ep->params != NULL)
        params_read(ep->params, object, query, c->ctx, in, c->arena, faults);
    if (faults->first == NULL && (ep->flags & LENIENT))
        return call_run_lenient(c, known, object, in);
    lack_note(c, known, object, faults);
    unknown_members_check(known, object, UNKNOWN_OTHER, c->arena, faults);
    approved_terms_check(c, object, in, faults);
    if (faults->first != NULL)
        return operation_refuse(c->rq, faults);
    rp = call_run_once(c, object, in);
    approved_terms_keep(c, in, rp);
    return rp;
}

/* 42 and "42" are the same id. */
static bool values_agree(struct arena *a, const json_t *x, const json_t *y)
{
    const char *s, *t;

    if (json_equal(x, y))
        return true;
    if ((!json_is_string(x) && !json_is_integer(x)) || (!json_is_string(y) && !json_is_integer(y)))
        return false;
    s = json_is_string(x) ? json_string_value(x) : jw_text_of(a, x, JSON_ENCODE_ANY);
    t = json_is_string(y) ? json_string_value(y) : jw_text_of(a, y, JSON_ENCODE_ANY);
    return strcmp(s, t) == 0;
}

/* The path's argument may be repeated in the object. */
static void object_take_path(const struct api_call *c, json_t *object, struct param_faults *faults)
{
    const char *name = c->endpoint->path_param != NULL ? c->endpoint->path_param->name : NULL;
    json_t *value = name == NULL ? NULL : json_object_get(object, name), *captured;

    if (value == NULL)
        return;
    captured = json_string(c->captured);
    if (!values_agree(c->arena, value, captured))
        params_fault(faults, &E_VALIDATION, name, "differs from the path");
    json_decref(captured);
    json_object_del(object, name);
}

struct reply *operation_run(struct api_call *c, json_t *object, bool query, struct param_faults *faults)
{
    const struct param *const known[] = { c->endpoint->params, NULL };

    object_take_path(c, object, faults);

    unknown_members_check(known, object, UNKNOWN_NEAR, c->arena, faults);
    return call_run_with(c, known, object, query, faults);
}

/* ---- on behalf of another protocol ---- */

const char *operation_path_argument(struct arena *a, const struct endpoint *ep)
{
    const char *open = strchr(ep->path, '{');

    return open == NULL ? NULL : arena_strndup(a, open + 1, strcspn(open + 1, "}"));
}

/* The text of an argument that goes into the path; NULL with the fault noted. */
static const char *argument_path_text(struct arena *a, const char *name, const json_t *value,
                                      struct param_faults *faults)
{
    if (json_is_integer(value))
        return arena_printf(a, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value) && floor(json_real_value(value)) == json_real_value(value)) /* 42.0 */
        return arena_printf(a, "%.0f", json_real_value(value));
    if (json_is_string(value) && json_string_length(value) > 0)
        return arena_strdup(a, json_string_value(value));
    if (value == NULL || json_is_null(value) || json_is_string(value))
        params_fault(faults, err_fmt(a, &E_REQUIRED, name, NULL), name, "is required");
    else
        params_fault(faults, &E_VALIDATION, name, "must be a string or a whole number");
    return NULL;
}

/* Moves the argument that REST has in its path from `arguments` to c->path. */
static void arguments_take_path(struct api_call *c, json_t *arguments, struct param_faults *faults)
{
    const char *path = c->endpoint->path, *name = operation_path_argument(c->arena, c->endpoint);

    c->path = path;
    c->captured = NULL;
    if (name == NULL)
        return;
    c->captured = argument_path_text(c->arena, name, json_object_get(arguments, name), faults);
    c->path = arena_printf(c->arena, "%.*s%s%s", (int)strcspn(path, "{"), path,
                           c->captured == NULL ? "" : c->captured, strchr(path, '}') + 1);
    json_object_del(arguments, name);
}

/* Moves the Idempotency-Key among the arguments to the call. */
static void arguments_take_key(struct api_call *c, json_t *arguments)
{
    const json_t *key = json_object_get(arguments, IDEMPOTENCY_ARGUMENT);

    if ((c->endpoint->flags & ONCE) == 0)
        return;
    if (key != NULL && !json_is_null(key)) /* one that is not a string is a bad key */
        c->idempotency_key = json_is_string(key) ? arena_strdup(c->arena, json_string_value(key)) : "";
    json_object_del(arguments, IDEMPOTENCY_ARGUMENT);
}

static bool row_takes(const struct endpoint *ep, const char *name)
{
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, name) == 0)
            return true;
    return ep->path_param != NULL && strcmp(ep->path_param->name, name) == 0;
}

/* Gives an argument that the row knows by a newer name that name. */
static void argument_rename(struct api_call *c, json_t *arguments, const char *older, const char *now,
                            struct param_faults *faults)
{
    json_t *value = json_object_get(arguments, older), *other = json_object_get(arguments, now);

    if (value == NULL || !row_takes(c->endpoint, now) || row_takes(c->endpoint, older))
        return;
    if (other == NULL || json_is_null(other))
        json_object_set(arguments, now, value);
    else if (!json_is_null(value) && !values_agree(c->arena, value, other))
        params_fault(faults, &E_VALIDATION, older,
                     arena_printf(c->arena, "differs from %s, which is the same", now));
    json_object_del(arguments, older);
}

static void arguments_rename(struct api_call *c, json_t *arguments, struct param_faults *faults)
{
    for (size_t i = 0; i < sizeof older_arguments / sizeof older_arguments[0]; i++)
        if (strstr(c->endpoint->path, older_arguments[i].path) != NULL)
            argument_rename(c, arguments, older_arguments[i].older, older_arguments[i].now, faults);
}

/* The arguments of a call in another protocol: REST's path and header are among them. */
struct known_arguments {
    struct param own[3]; /* ends with one without a name */
    const struct param *tables[3];
};

static void known_arguments_make(const struct endpoint *ep, struct known_arguments *out)
{
    size_t n = 0;

    *out = (struct known_arguments){ .tables = { out->own, ep->params } };
    if (ep->path_param != NULL)
        out->own[n++].name = ep->path_param->name;
    if (ep->flags & ONCE)
        out->own[n].name = IDEMPOTENCY_ARGUMENT;
}

/* Runs it with what REST would have had in its body or query string. */
static struct reply *call_run_arguments(struct api_call *c, const json_t *arguments)
{
    struct param_faults faults = { NULL, NULL };
    json_t *members = json_copy((json_t *)(uintptr_t)arguments);
    struct known_arguments known;
    struct reply *rp;

    known_arguments_make(c->endpoint, &known);
    arguments_rename(c, members, &faults);
    params_unquote(c->endpoint->params, members);
    unknown_members_check(known.tables, members, UNKNOWN_NEAR, c->arena, &faults);
    arguments_take_key(c, members);
    arguments_take_path(c, members, &faults);
    c->arguments = members;
    rp = call_run_with(c, known.tables, members, false, &faults);
    c->arguments = NULL;
    json_decref(members);
    return rp;
}

/* Whether the key that the parent was admitted with opens this row too. */
static bool call_is_admitted(const struct api_call *c)
{
    if (!c->admitted || c->endpoint->auth == AUTH_NONE)
        return c->admitted;
    return c->agent != NULL && agent_opens(c->agent, c->endpoint);
}

/* Refuses what is read in another protocol where a model has no room for it. */
static struct reply *answer_bound(struct api_call *c, struct reply *rp)
{
    bool reads = c->endpoint->method == GET && c->endpoint->tool != NULL;

    return reads && reply_is_json(rp) && strlen(reply_text(rp)) > TOOL_BYTES
               ? reply_err(c->rq, &E_ANSWER_LARGE)
               : rp;
}

struct reply *operation_call(struct api_call *c, const json_t *arguments)
{
    const struct err *e = call_is_admitted(c) ? NULL : operation_admit(c, c->endpoint);

    if (e != NULL)
        return reply_err(c->rq, e);
    return answer_bound(c, call_run_arguments(c, arguments));
}
