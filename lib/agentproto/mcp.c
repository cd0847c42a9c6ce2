#include "agentproto/mcp.h"

#include <string.h>

#include "agentproto/mcp_internal.h"
#include "api/admission/operation.h"
#include "api/admission/origins.h"
#include "api/documents/documents.h"
#include "api/documents/offered.h"
#include "api/endpoint/call_names.h"
#include "base/buf.h"
#include "base/json_input.h"
#include "base/log.h"
#include "codec/base64.h"
#include "http/accept.h"
#include "model/agent.h"
#include "service/conf.h"

#define META_VERSION      "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_SERVER       "io.modelcontextprotocol/serverInfo"

static const char MODERN[] = "2026-07-28";
static const char BATCHES[] =
    "2025-03-26"; /* the only revision with batches, and the default of requests that name none */
/* Newest first. */
static const char *const handshake_versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

static const char INSTRUCTIONS[] =
    "Token swaps, lending, perpetual futures and prediction markets with wallets whose keys the gateway keeps. register_agent gives an API key; send it as the header Authorization: Bearer <API_KEY>. Then create_wallet and have it funded, get_quote (a quote lives 60 seconds), execute_swap with its quote_id, and get_swap_status until the swap is completed or failed. For prediction markets: search_prediction_markets, deposit_prediction, place_prediction_order with a tokenId, and list_prediction_orders. Lending, perpetuals and more have tools that are not listed at first: more_tools lists them and shows their arguments, and each can be called by its name. Amounts are decimal strings in human units, such as \"1.5\". A call that failed says why in `error` and what to do in `hint`.";

enum {
    HEADER_MISMATCH = -32020,
    VERSION_UNSUPPORTED = -32022,
    HOUR_MS = 3600 * 1000,
    BATCH_MAX = 20,
    BATCH_ANONYMOUS_MAX = 5,
    NAME_MAX_LEN = 2048, /* of a decoded Mcp-Name */
    BATCH_ANSWER_MAX = 4 * 1024 * 1024,
    /* Beyond it there may be no room for what a message is answered with: its result, and its id. */
    BATCH_ANSWER_FULL = BATCH_ANSWER_MAX - MAX_UPSTREAM - MAX_BODY - 4096,
    BATCH_REFUSED = -32000,
};

static const struct err foreign_origin = {
    .status = 403,
    .rpc = -31403,
    .code = "",
    .text = "Origin or Host not allowed: gateway.conf has to name it in base_url or allowed_origins"
};
static const struct err not_acceptable = {
    .status = 406, .rpc = -32600, .code = "", .text = "Accept must allow application/json"
};
static const struct err unknown_version = {
    .status = 400, .rpc = -32600, .code = "", .text = "Unsupported MCP-Protocol-Version"
};
static const struct err no_message = { .status = 400, .rpc = -32600, .code = "", .text = "Invalid Request" };
static const struct err no_batches = {
    .status = 400, .rpc = -32600, .code = "", .text = "Batches belong to revision 2025-03-26"
};
static const struct err bad_batch = {
    .status = 400, .rpc = -32600, .code = "", .text = "A batch has 1 to 20 messages, 5 without an API key"
};

/* ---- results and failures ---- */

static bool fail_with(struct mcp_call *c, int status, int code, const char *message)
{
    c->status = status;
    c->code = code;
    c->message = message;
    return false;
}

bool mcp_fail(struct mcp_call *c, int code, const char *message)
{
    return fail_with(c, 200, code, message);
}

/* Whether the client takes a stream of events. */
static bool takes_events(const struct request *rq)
{
    static const char *const ranges[] = { "text/event-stream" };

    return accepts(request_header(rq, "HTTP_ACCEPT"), ranges, 1, false);
}

/* The event by which a client that has asked for it is told of the seconds that it has waited; without its
 * end, which is the number. NULL: it has not asked. */
static const char *progress_event(const struct mcp_call *c)
{
    const struct request *rq = c->api->rq;
    const json_t *token = json_object_get(json_object_get(c->params, "_meta"), "progressToken");
    struct arena *a = c->api->arena;

    if (rq->wait.ms == 0 || !takes_events(rq) || (!json_is_string(token) && !json_is_integer(token)))
        return NULL;
    return arena_printf(
        a,
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"total\":%u,\"progress\":",
        jw_text_of(a, token, JSON_ENCODE_ANY), rq->wait.ms / 1000);
}

struct reply *mcp_operation(struct mcp_call *c, const struct endpoint *ep, const json_t *arguments,
                            bool compact)
{
    struct api_call call = api_call_for(c->api, ep);
    struct reply *rp;

    call.idempotency_key = c->api->idempotency_key;
    call.compact = compact;
    call.waits = !c->batched;
    call.wait_s = c->api->ctx->conf->mcp_wait_s;
    rp = operation_call(&call, arguments);
    c->api->limit = call.limit;
    c->api->rq->wait.progress = progress_event(c);
    return rp;
}

bool mcp_shut_out(struct mcp_call *c, struct reply *rp)
{
    const struct err *e = reply_error(rp);

    if (e == NULL || (e->status != 401 && e->status != 429))
        return false;
    (void)fail_with(c, e->status, e->rpc, e->text);
    c->refusal = e;
    c->data = answer_name_tools(c->api->arena, reply_text(rp));
    return true;
}

const char *mcp_text(const struct mcp_call *c, const char *name)
{
    return json_string_value(json_object_get(c->params, name));
}

json_t *mcp_arguments(struct mcp_call *c)
{
    json_t *arguments = json_object_get(c->params, "arguments");

    if (arguments == NULL)
        return json_object();
    if (json_is_object(arguments))
        return json_copy(arguments);
    if (json_is_string(arguments)) { /* as text, which some programs make of every object */
        json_t *object = json_input_value(json_string_value(arguments));

        if (json_is_object(object))
            return object;
        json_decref(object);
    }
    (void)mcp_fail(c, JSONRPC_INVALID_PARAMS, "arguments must be an object");
    return NULL;
}

bool mcp_is_first_page(struct mcp_call *c)
{
    const json_t *cursor = json_object_get(c->params, "cursor");

    return cursor == NULL || (json_is_string(cursor) && json_string_length(cursor) == 0) ||
           mcp_fail(c, JSONRPC_INVALID_PARAMS, "Unknown cursor");
}

bool mcp_page(struct mcp_call *c, const char *name, const char *list)
{
    if (!mcp_is_first_page(c))
        return false;
    jw_raw(&c->result, name, list, strlen(list), NULL);
    return true;
}

/* ---- methods of their own ---- */

static void capabilities_write(struct json_writer *w)
{
    static const char *const all[] = { "tools", "resources", "prompts", "completions" };

    jw_object(w, "capabilities");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        jw_object(w, all[i]);
        jw_end(w);
    }
    jw_end(w);
}

static bool is_handshake_version(const char *version)
{
    for (size_t i = 0; i < sizeof handshake_versions / sizeof handshake_versions[0]; i++)
        if (strcmp(handshake_versions[i], version) == 0)
            return true;
    return false;
}

static bool method_initialize(struct mcp_call *c)
{
    const char *version = mcp_text(c, "protocolVersion");
    struct json_writer *w = &c->result;

    if (version == NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "protocolVersion is required");
    jw_string(w, "protocolVersion", is_handshake_version(version) ? version : handshake_versions[0]);
    capabilities_write(w);
    jw_raw(w, "serverInfo", c->mcp->server_info, strlen(c->mcp->server_info), NULL);
    jw_string(w, "instructions", INSTRUCTIONS);
    return true;
}

static bool method_ping(struct mcp_call *c)
{
    (void)c;
    return true;
}

static bool method_discover(struct mcp_call *c)
{
    struct json_writer *w = &c->result;

    jw_array(w, "supportedVersions");
    jw_string(w, NULL, MODERN);
    jw_end(w);
    capabilities_write(w);
    jw_string(w, "instructions", INSTRUCTIONS);
    return true;
}

enum { HANDSHAKE_HAS = 1, MODERN_HAS = 2, BOTH_HAVE = 3 };

static const struct mcp_method {
    const char *name;
    unsigned revisions;
    bool (*answer)(struct mcp_call *c);
    const char *names;    /* the parameter that the header Mcp-Name repeats */
    bool is_an_operation; /* which admits itself */
    int ttl_ms;           /* -1: the result must not be cached */
} methods[] = {
    { "initialize", HANDSHAKE_HAS, method_initialize, NULL, false, -1 },
    { "ping", HANDSHAKE_HAS, method_ping, NULL, false, -1 },
    { "server/discover", MODERN_HAS, method_discover, NULL, false, HOUR_MS },
    { "tools/list", BOTH_HAVE, mcp_tools_list, NULL, false, HOUR_MS },
    { "tools/call", BOTH_HAVE, mcp_tools_call, "name", true, -1 },
    { "resources/list", BOTH_HAVE, mcp_resources_list, NULL, false, HOUR_MS },
    { "resources/templates/list", BOTH_HAVE, mcp_templates_list, NULL, false, HOUR_MS },
    { "resources/read", BOTH_HAVE, mcp_resources_read, "uri", true, HOUR_MS },
    { "prompts/list", BOTH_HAVE, mcp_prompts_list, NULL, false, HOUR_MS },
    { "prompts/get", BOTH_HAVE, mcp_prompts_get, "name", false, -1 },
    { "completion/complete", BOTH_HAVE, mcp_complete, NULL, false, -1 },
};

static const struct mcp_method *method_find(const char *name, unsigned revision)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if ((methods[i].revisions & revision) && strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

/* ---- revisions ---- */

static const char *version_header(const struct request *rq)
{
    return request_header(rq, "HTTP_MCP_PROTOCOL_VERSION");
}

static const json_t *meta_of(const json_t *params)
{
    return json_object_get(json_object_get(params, "_meta"), META_VERSION);
}

static bool is_modern(const struct request *rq, const json_t *params)
{
    const char *header = version_header(rq);

    return meta_of(params) != NULL || (header != NULL && strcmp(header, MODERN) == 0);
}

/* The text of a header, which may be encoded as =?base64?…?=; NULL when that is malformed. */
static const char *decoded_name(struct arena *a, const char *header)
{
    static const char open[] = "=?base64?";
    size_t n = strlen(header), skip = sizeof open - 1, len;
    uint8_t text[NAME_MAX_LEN + 1];

    if (strncmp(header, open, skip) != 0 || n < skip + 2 || strcmp(header + n - 2, "?=") != 0)
        return header;
    if (!base64_decode(text, NAME_MAX_LEN, &len, header + skip, n - skip - 2))
        return NULL;
    return arena_strndup(a, (const char *)text, len);
}

static bool header_says(const struct mcp_call *c, const char *cgi_name, const char *want)
{
    const char *header = request_header(c->api->rq, cgi_name);

    header = header == NULL ? NULL : decoded_name(c->api->arena, header);
    return header != NULL && strcmp(header, want) == 0;
}

/* A modern request repeats part of its body in its headers, for intermediaries that read only those. */
static bool headers_fit(const struct mcp_call *c, const char *version)
{
    const struct mcp_method *m = method_find(c->method, MODERN_HAS);
    const char *name = m == NULL || m->names == NULL ? NULL : mcp_text(c, m->names);

    return header_says(c, "HTTP_MCP_PROTOCOL_VERSION", version) &&
           header_says(c, "HTTP_MCP_METHOD", c->method) &&
           (name == NULL || header_says(c, "HTTP_MCP_NAME", name));
}

static void version_refuse(struct mcp_call *c, const char *version)
{
    struct json_writer w;

    jw_init(&w, c->api->arena, MAX_UPSTREAM);
    jw_object(&w, NULL);
    jw_array(&w, "supported");
    jw_string(&w, NULL, MODERN);
    jw_end(&w);
    jw_string(&w, "requested", version);
    jw_end(&w);
    c->data = jw_finish(&w);
    (void)fail_with(c, 400, VERSION_UNSUPPORTED, "Unsupported protocol version");
}

/* false after the failure. */
static bool modern_is_whole(struct mcp_call *c)
{
    const json_t *meta = json_object_get(c->params, "_meta");
    const char *version = json_string_value(meta_of(c->params));

    if (version == NULL || !json_is_object(json_object_get(meta, META_CAPABILITIES))) {
        (void)fail_with(c, 400, JSONRPC_INVALID_PARAMS,
                        "_meta needs " META_VERSION " and " META_CAPABILITIES);
    } else if (!headers_fit(c, version)) {
        (void)fail_with(c, 400, HEADER_MISMATCH,
                        "MCP-Protocol-Version, Mcp-Method and Mcp-Name must repeat the body");
    } else if (strcmp(version, MODERN) != 0) {
        version_refuse(c, version);
    }
    return c->code == 0;
}

/* ---- one message ---- */

static bool method_admit(struct mcp_call *c)
{
    const struct err *e = operation_admit(c->api, c->api->endpoint);

    if (e != NULL)
        (void)mcp_shut_out(c, reply_err(c->api->rq, e));
    return e == NULL;
}

static bool method_run(struct mcp_call *c)
{
    const struct mcp_method *m;

    if (c->params != NULL && !json_is_object(c->params))
        return fail_with(c, c->modern ? 400 : 200, JSONRPC_INVALID_PARAMS, "params must be an object");
    if (c->modern && !modern_is_whole(c))
        return false;
    m = method_find(c->method, c->modern ? MODERN_HAS : HANDSHAKE_HAS);
    if (m == NULL)
        return fail_with(c, c->modern ? 404 : 200, JSONRPC_METHOD_NOT_FOUND, "Method not found");
    c->ttl_ms = m->ttl_ms;
    return (m->is_an_operation || method_admit(c)) && m->answer(c);
}

/* Writes the members by which a result of newer versions describes itself. */
static void result_mark(struct mcp_call *c)
{
    struct json_writer *w = &c->result;

    jw_string(w, "resultType", "complete");
    jw_object(w, "_meta");
    jw_raw(w, META_SERVER, c->mcp->server_info, strlen(c->mcp->server_info), NULL);
    jw_end(w);
    if (c->ttl_ms < 0)
        return;
    jw_integer(w, "ttlMs", c->ttl_ms);
    jw_string(w, "cacheScope", c->private ? "private" : "public");
}

/* The result as JSON; NULL after a failure. */
static const char *call_run(struct mcp_call *c)
{
    struct json_writer *w = &c->result;
    const char *text = NULL;

    jw_init(w, c->api->arena, MAX_UPSTREAM);
    jw_object(w, NULL);
    if (method_run(c)) {
        if (c->modern)
            result_mark(c);
        jw_end(w);
        text = jw_finish(w);
    }
    if (text == NULL && c->code == 0)
        (void)mcp_fail(c, JSONRPC_INTERNAL_ERROR, "Internal error");
    return text;
}

static void error_write(struct json_writer *w, const json_t *id, const struct mcp_call *c)
{
    jsonrpc_open_error(w, id, c->code, c->message);
    if (c->data != NULL)
        jw_raw(w, "data", c->data, strlen(c->data), NULL);
    jw_end(w);
    jw_end(w);
}

/* Writes the answer to a call; its HTTP status and refusal are left in *c. */
static void answer_call(struct json_writer *w, struct mcp_call *c, const struct jsonrpc *m)
{
    const char *result;

    /* Each message is admitted separately. */
    c->api->admitted = false;
    c->api->agent = NULL;
    c->status = 200;
    c->method = m->method;
    c->modern = is_modern(c->api->rq, m->params);
    c->params = m->params;
    result = call_run(c);
    if (result == NULL) {
        error_write(w, m->id, c);
        return;
    }
    jsonrpc_open(w, m->id);
    jw_raw(w, "result", result, c->result.len, NULL);
    jw_end(w);
}

static struct reply *take_notification(struct api_call *api)
{
    const struct err *e = operation_admit(api, api->endpoint);

    return e == NULL ? reply_empty(api->rq, 202) : jsonrpc_refuse(api->rq, NULL, e);
}

static struct reply *answer_alone(struct api_call *api, const struct jsonrpc *m)
{
    struct mcp_call c = { .api = api, .mcp = api->ctx->mcp };
    struct json_writer w;

    jw_init(&w, api->arena, MAX_UPSTREAM);
    answer_call(&w, &c, m);
    return c.refusal != NULL ? reply_refused(api->rq, c.refusal, &w) : reply_written(api->rq, c.status, &w);
}

static struct reply *answer_one(struct api_call *api, const json_t *message)
{
    struct jsonrpc m = jsonrpc_read(message);
    struct request *rq = api->rq;

    if (!is_modern(rq, m.params) && version_header(rq) != NULL && !is_handshake_version(version_header(rq)))
        return jsonrpc_refuse(rq, m.id, &unknown_version);
    switch (m.kind) {
    case JSONRPC_RESPONSE:
        if (!is_modern(rq, NULL))
            return take_notification(api);
        break;
    case JSONRPC_NOTIFICATION:
        return take_notification(api);
    case JSONRPC_CALL:
        return answer_alone(api, &m);
    case JSONRPC_INVALID:
        break;
    }
    return jsonrpc_refuse(rq, m.id, &no_message);
}

/* ---- batches ---- */

/* Writes the answer to a message of a batch, if it gets one. */
static void answer_in_batch(struct json_writer *w, struct api_call *api, const json_t *message, bool keyed)
{
    struct jsonrpc m = jsonrpc_read(message);
    struct mcp_call c = { .api = api, .mcp = api->ctx->mcp, .batched = true };

    if (m.kind == JSONRPC_NOTIFICATION || m.kind == JSONRPC_RESPONSE)
        return;
    if (m.kind == JSONRPC_INVALID || is_modern(api->rq, m.params) || strcmp(m.method, "initialize") == 0) {
        (void)fail_with(&c, 200, no_message.rpc, no_message.text);
        error_write(w, m.id, &c);
        return;
    }
    /* Refused before anything is done: what has no room would be lost with all that it did. */
    if (w->len > BATCH_ANSWER_FULL) {
        (void)fail_with(
            &c, 200, BATCH_REFUSED,
            "The answers of the batch are too long: nothing was done, send this message by itself");
        error_write(w, m.id, &c);
        return;
    }
    if (!keyed && strcmp(m.method, "resources/read") == 0) {
        (void)fail_with(&c, 200, BATCH_REFUSED,
                        "Without an API key documents are not read in batches: send this message by itself");
        error_write(w, m.id, &c);
        return;
    }
    answer_call(w, &c, &m);
}

/* Whether a batch may be that long: long ones need the key of an agent. Each message is admitted separately
 * all the same. */
static bool batch_fits(size_t n, bool keyed)
{
    return n > 0 && (n <= BATCH_ANONYMOUS_MAX || (n <= BATCH_MAX && keyed));
}

static struct reply *answer_batch(struct api_call *api, const json_t *batch)
{
    struct request *rq = api->rq;
    const char *version = version_header(rq);
    struct json_writer w;
    const json_t *message;
    struct agent agent;
    bool keyed;
    size_t i, empty;

    if (version != NULL && strcmp(version, BATCHES) != 0)
        return jsonrpc_refuse(rq, NULL, &no_batches);
    keyed = operation_has_agent_key(api, &agent);
    if (!batch_fits(json_array_size(batch), keyed))
        return jsonrpc_refuse(rq, NULL, &bad_batch);
    jw_init(&w, api->arena, BATCH_ANSWER_MAX);
    jw_array(&w, NULL);
    empty = w.len;
    json_array_foreach((json_t *)batch, i, message) answer_in_batch(&w, api, message, keyed);
    if (w.len == empty)
        return take_notification(api);
    jw_end(&w);
    return reply_written(rq, 200, &w);
}

/* ---- the transport ---- */

static bool json_accepted(const struct request *rq)
{
    static const char *const ranges[] = { "*/*", "application/*", "application/json" };
    const char *accept = request_header(rq, "HTTP_ACCEPT");

    return accepts(accept, ranges, sizeof ranges / sizeof ranges[0], accept == NULL);
}

static struct reply *post_mcp(struct api_call *api, const void *arg)
{
    struct request *rq = api->rq;
    struct reply *rp;
    json_t *body;

    (void)arg;
    if (!origins_allow(api))
        return jsonrpc_refuse(rq, NULL, &foreign_origin);
    if (!json_accepted(rq))
        return jsonrpc_refuse(rq, NULL, &not_acceptable);
    body = jsonrpc_body(rq, "toolsets", &rp);
    if (body == NULL)
        return rp;
    rp = json_is_array(body) ? answer_batch(api, body) : answer_one(api, body);
    json_decref(body);
    return rp;
}

/* ---- start ---- */

static const char *server_info_make(struct arena *a)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jw_object(&w, NULL);
    jw_string(&w, "name", "agent-defi-gateway");
    jw_string(&w, "title", GATEWAY_NAME);
    jw_string(&w, "version", GATEWAY_VERSION);
    jw_end(&w);
    return jw_finish(&w);
}

/* A copy of a list, without what it took to write it. */
static const char *list_keep(struct arena *kept, const char *list)
{
    if (list == NULL)
        log_fatal("program_broken", "msg=\"the lists of MCP cannot be made\"");
    return arena_strdup(kept, list);
}

static const char *const *tools_keep(struct arena *kept, struct arena *scratch)
{
    const struct endpoint *const *all = endpoints_all();
    const char **tools;
    size_t n = 0;

    while (all[n] != NULL)
        n++;
    tools = ARENA_ARRAY(kept, const char *, n);
    for (size_t i = 0; i < n; i++)
        tools[i] = all[i]->tool == NULL ? NULL : list_keep(kept, mcp_tool_make(scratch, all[i]));
    return tools;
}

struct mcp *mcp_new(const char *base_url, const struct ctx *ctx)
{
    struct arena *a = arena_new(), *scratch = arena_new();
    struct mcp *m = ARENA_NEW(a, struct mcp);
    size_t n = strlen(base_url);

    while (n > 0 && base_url[n - 1] == '/')
        n--;
    m->arena = a;
    m->base_url = arena_strndup(a, base_url, n);
    m->server_info = list_keep(a, server_info_make(scratch));
    m->tools = tools_keep(a, scratch);
    m->resources = list_keep(a, mcp_resources_make(scratch, m->base_url, false));
    m->templates = list_keep(a, mcp_resources_make(scratch, m->base_url, true));
    m->bridges = offered_bridge(ctx);
    m->prompts = list_keep(a, mcp_prompts_make(scratch, m));
    arena_free(scratch);
    return m;
}

void mcp_free(struct mcp *m)
{
    arena_free(m->arena);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = "/mcp",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = post_mcp,
        .flags = ENVELOPE | GUARDED,
        .summary = "The Model Context Protocol",
    },
};

const struct endpoint_group mcp_endpoints = { ENDPOINT_ROWS(rows) };
