#include "agentproto/mcp.h"

#include <string.h>

#include "agentproto/mcp_internal.h"
#include "api/admission/operation.h"
#include "api/admission/origins.h"
#include "api/documents/documents.h"
#include "api/documents/offered.h"
#include "base/log.h"
#include "codec/base64.h"
#include "http/accept.h"

#define META_VERSION      "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_SERVER       "io.modelcontextprotocol/serverInfo"

static const char MODERN[] = "2026-07-28";
static const char BATCHES[] =
    "2025-03-26"; /* the only revision with batches, and the default of requests that name none */
/* Newest first. */
static const char *const handshake_versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

static const char INSTRUCTIONS[] =
    "Token swaps with wallets whose keys the gateway keeps. register_agent gives an API key; send it as the header Authorization: Bearer <API_KEY>. Then create_wallet and have it funded, get_quote (a quote lives 60 seconds), execute_swap with its quote_id, and get_swap_status until the swap is completed or failed. Amounts are decimal strings in human units, such as \"1.5\". A call that failed says why in `error` and what to do in `hint`.";

enum {
    HEADER_MISMATCH = -32020,
    VERSION_UNSUPPORTED = -32022,
    HOUR_MS = 3600 * 1000,
    BATCH_MAX = 20,
    BATCH_ANONYMOUS_MAX = 5,
    NAME_MAX_LEN = 2048, /* of a decoded Mcp-Name */
};

static const struct err foreign_origin = {
    .status = 403, .rpc = -31403, .code = "", .text = "Origin not allowed"
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

static json_t *fail_with(struct mcp_call *c, int status, int code, const char *message)
{
    c->status = status;
    c->code = code;
    c->message = message;
    return NULL;
}

json_t *mcp_fail(struct mcp_call *c, int code, const char *message)
{
    return fail_with(c, 200, code, message);
}

struct reply *mcp_operation(struct mcp_call *c, const struct endpoint *ep, const json_t *arguments)
{
    struct api_call call = api_call_for(c->api, ep);
    struct reply *rp;

    call.idempotency_key = c->api->idempotency_key;
    rp = operation_call(&call, arguments);
    c->api->limit = call.limit;
    return rp;
}

bool mcp_shut_out(struct mcp_call *c, struct reply *rp)
{
    const struct err *e = reply_error(rp);

    if (e == NULL || (e->status != 401 && e->status != 429))
        return false;
    (void)fail_with(c, e->status, e->rpc, e->text);
    c->refusal = e;
    c->data = json_incref(reply_value(rp));
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
    return json_is_object(arguments) ? json_incref(arguments)
                                     : mcp_fail(c, JSONRPC_INVALID_PARAMS, "arguments must be an object");
}

json_t *mcp_page(struct mcp_call *c, const char *name, json_t *list)
{
    const json_t *cursor = json_object_get(c->params, "cursor");

    if (cursor != NULL && (!json_is_string(cursor) || json_string_length(cursor) > 0))
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "Unknown cursor");
    return json_pack("{s:O}", name, list);
}

/* ---- methods of their own ---- */

static json_t *capabilities_json(void)
{
    return json_pack("{s:{}, s:{}, s:{}, s:{}}", "tools", "resources", "prompts", "completions");
}

static bool is_handshake_version(const char *version)
{
    for (size_t i = 0; i < sizeof handshake_versions / sizeof handshake_versions[0]; i++)
        if (strcmp(handshake_versions[i], version) == 0)
            return true;
    return false;
}

static json_t *method_initialize(struct mcp_call *c)
{
    const char *version = mcp_text(c, "protocolVersion");

    if (version == NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "protocolVersion is required");
    if (!is_handshake_version(version))
        version = handshake_versions[0];
    return json_pack("{s:s, s:o, s:O, s:s}", "protocolVersion", version, "capabilities", capabilities_json(),
                     "serverInfo", c->mcp->server_info, "instructions", INSTRUCTIONS);
}

static json_t *method_ping(struct mcp_call *c)
{
    (void)c;
    return json_object();
}

static json_t *method_discover(struct mcp_call *c)
{
    (void)c;
    return json_pack("{s:[s], s:o, s:s}", "supportedVersions", MODERN, "capabilities", capabilities_json(),
                     "instructions", INSTRUCTIONS);
}

enum { HANDSHAKE_HAS = 1, MODERN_HAS = 2, BOTH_HAVE = 3 };

static const struct mcp_method {
    const char *name;
    unsigned revisions;
    json_t *(*answer)(struct mcp_call *c);
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
        (void)fail_with(c, 400, VERSION_UNSUPPORTED, "Unsupported protocol version");
        c->data = json_pack("{s:[s], s:s}", "supported", MODERN, "requested", version);
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

static json_t *method_run(struct mcp_call *c)
{
    const struct mcp_method *m;

    if (c->params != NULL && !json_is_object(c->params))
        return fail_with(c, c->modern ? 400 : 200, JSONRPC_INVALID_PARAMS, "params must be an object");
    if (c->modern && !modern_is_whole(c))
        return NULL;
    m = method_find(c->method, c->modern ? MODERN_HAS : HANDSHAKE_HAS);
    if (m == NULL)
        return fail_with(c, c->modern ? 404 : 200, JSONRPC_METHOD_NOT_FOUND, "Method not found");
    c->ttl_ms = m->ttl_ms;
    return m->is_an_operation || method_admit(c) ? m->answer(c) : NULL;
}

/* What a modern result says about itself. */
static json_t *result_mark(const struct mcp_call *c, json_t *result)
{
    json_object_set_new(result, "resultType", json_string("complete"));
    json_object_set_new(result, "_meta", json_pack("{s:O}", META_SERVER, c->mcp->server_info));
    if (c->ttl_ms < 0)
        return result;
    json_object_set_new(result, "ttlMs", json_integer(c->ttl_ms));
    json_object_set_new(result, "cacheScope", json_string(c->private ? "private" : "public"));
    return result;
}

/* The answer to a call; its HTTP status and refusal are left in *c. */
static json_t *answer_call(struct mcp_call *c, const struct jsonrpc *m)
{
    json_t *result;

    /* Each message is admitted separately. */
    c->api->admitted = false;
    c->api->agent = NULL;
    c->status = 200;
    c->method = m->method;
    c->modern = is_modern(c->api->rq, m->params);
    c->params = m->params;
    result = method_run(c);
    if (result == NULL && c->code == 0)
        result = mcp_fail(c, JSONRPC_INTERNAL_ERROR, "Internal error");
    if (result == NULL)
        return jsonrpc_error(m->id, c->code, c->message, c->data);
    return jsonrpc_result(m->id, c->modern ? result_mark(c, result) : result);
}

static struct reply *take_notification(struct api_call *api)
{
    const struct err *e = operation_admit(api, api->endpoint);

    return e == NULL ? reply_empty(api->rq, 202) : jsonrpc_refuse(api->rq, NULL, e);
}

static struct reply *answer_alone(struct api_call *api, const struct jsonrpc *m)
{
    struct mcp_call c = { .api = api, .mcp = api->ctx->mcp };
    json_t *answer = answer_call(&c, m);

    return c.refusal != NULL ? reply_refusal(api->rq, c.refusal, answer)
                             : reply_bare(api->rq, c.status, answer);
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

/* The answer to a message of a batch; NULL: it gets none. */
static json_t *answer_in_batch(struct api_call *api, const json_t *message)
{
    struct jsonrpc m = jsonrpc_read(message);
    struct mcp_call c = { .api = api, .mcp = api->ctx->mcp };

    if (m.kind == JSONRPC_NOTIFICATION || m.kind == JSONRPC_RESPONSE)
        return NULL;
    if (m.kind == JSONRPC_INVALID || is_modern(api->rq, m.params) || strcmp(m.method, "initialize") == 0)
        return jsonrpc_error(m.id, no_message.rpc, no_message.text, NULL);
    return answer_call(&c, &m);
}

/* Whether a batch may be that long: long ones need the key of an agent. Each message is admitted separately
 * all the same. */
static bool batch_fits(struct api_call *api, size_t n)
{
    return n > 0 && (n <= BATCH_ANONYMOUS_MAX || (n <= BATCH_MAX && operation_has_agent_key(api)));
}

static struct reply *answer_batch(struct api_call *api, const json_t *batch)
{
    struct request *rq = api->rq;
    const char *version = version_header(rq);
    json_t *answers;
    const json_t *message;
    size_t i;

    if (version != NULL && strcmp(version, BATCHES) != 0)
        return jsonrpc_refuse(rq, NULL, &no_batches);
    if (!batch_fits(api, json_array_size(batch)))
        return jsonrpc_refuse(rq, NULL, &bad_batch);
    answers = json_array();
    json_array_foreach((json_t *)batch, i, message)
    {
        json_t *answer = answer_in_batch(api, message);

        if (answer != NULL)
            json_array_append_new(answers, answer);
    }
    if (json_array_size(answers) > 0)
        return reply_bare(rq, 200, answers);
    json_decref(answers);
    return take_notification(api);
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
    rq->values = true;
    if (!origins_allow(api))
        return jsonrpc_refuse(rq, NULL, &foreign_origin);
    if (!json_accepted(rq))
        return jsonrpc_refuse(rq, NULL, &not_acceptable);
    body = jsonrpc_body(rq, &rp);
    if (body == NULL)
        return rp;
    rp = json_is_array(body) ? answer_batch(api, body) : answer_one(api, body);
    json_decref(body);
    return rp;
}

/* ---- start ---- */

struct mcp *mcp_new(const char *base_url, const struct nodes *nodes)
{
    struct arena *a = arena_new();
    struct mcp *m = ARENA_NEW(a, struct mcp);
    size_t n = strlen(base_url);

    while (n > 0 && base_url[n - 1] == '/')
        n--;
    m->arena = a;
    m->base_url = arena_strndup(a, base_url, n);
    m->server_info = json_pack("{s:s, s:s, s:s}", "name", "agent-defi-gateway", "title", GATEWAY_NAME,
                               "version", GATEWAY_VERSION);
    m->tools = mcp_tools_make(a);
    m->resources = mcp_resources_make(a, m->base_url, false);
    m->templates = mcp_resources_make(a, m->base_url, true);
    m->bridges = offered_bridge(nodes);
    m->prompts = mcp_prompts_make(m);
    if (m->server_info == NULL || m->tools == NULL || m->resources == NULL || m->templates == NULL ||
        m->prompts == NULL)
        log_fatal("msg=\"the lists of MCP cannot be made\"");
    return m;
}

void mcp_free(struct mcp *m)
{
    json_decref(m->server_info);
    json_decref(m->tools);
    json_decref(m->resources);
    json_decref(m->templates);
    json_decref(m->prompts);
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
