/* A request to POST /mcp: its first line is the header Mcp-Name, the rest the body. No request has a
 * key, so that none needs a database; registration alone would need one without. */
#include <string.h>

#include "agentproto/mcp.h"
#include "api/admission/api_call.h"
#include "api/documents/documents.h"
#include "api/endpoint/endpoint.h"
#include "chain/rpc/node.h"
#include "fuzz.h"
#include "http/io_mem.h"
#include "service/conf.h"

#define tokens_page no_listed_tokens
#include "api/token_endpoints.c"

int no_listed_tokens(struct db *db, struct arena *a, uint64_t chain_id, const char *search, uint64_t limit,
                     uint64_t offset, struct token_row **out)
{
    (void)db;
    (void)a;
    (void)chain_id;
    (void)search;
    (void)limit;
    (void)offset;
    (void)out;
    return 0;
}

static void check_message(const json_t *message)
{
    const json_t *id = json_object_get(message, "id"), *error = json_object_get(message, "error");

    MUST(id != NULL && (json_is_string(id) || json_is_number(id) || json_is_null(id)));
    MUST((json_object_get(message, "result") != NULL) != (error != NULL));
    MUST(error == NULL || json_is_integer(json_object_get(error, "code")));
    MUST(error == NULL || json_integer_value(json_object_get(error, "code")) != -32603);
}

static void check_reply(struct reply *rp)
{
    json_t *body, *message;
    size_t i;

    MUST(reply_status(rp) >= 200 && reply_status(rp) < 500);
    if (reply_status(rp) == 202)
        return;
    body = json_loads(reply_text(rp), 0, NULL);
    MUST(body != NULL);
    if (json_is_object(body))
        check_message(body);
    json_array_foreach(body, i, message) check_message(message);
    json_decref(body);
}

static void ask(struct ctx *ctx, const char *name, const uint8_t *body, size_t size, bool modern)
{
    struct arena *a = arena_new();
    const char *params[] = { "REQUEST_METHOD=POST",
                             "REQUEST_URI=/mcp",
                             arena_printf(a, "HTTP_MCP_NAME=%s", name),
                             modern ? "HTTP_MCP_PROTOCOL_VERSION=2026-07-28" : NULL,
                             "HTTP_MCP_METHOD=resources/read",
                             NULL };
    struct io_mem io;
    struct request rq;
    struct api_call c;

    io_mem_init(&io, params, (const char *)body, size);
    request_read(&rq, a, &io.io);
    c = api_call_of(ctx, &rq);
    c.endpoint = endpoints_find(POST, "/mcp");
    check_reply(c.endpoint->handler(&c, NULL));
    io_mem_free(&io);
    arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct conf conf;
    static struct ctx ctx;
    const uint8_t *end = memchr(data, '\n', size);
    char *name;

    if (ctx.mcp == NULL) {
        conf.base_url = "http://x";
        conf.allowed_origins = "";
        ctx = (struct ctx){ .conf = &conf, .nodes = nodes_new(&conf) };
        ctx.documents = documents_new("http://x", &ctx);
        ctx.mcp = mcp_new("http://x", &ctx);
    }
    if (end == NULL || memmem(data, size, "register", 8) != NULL || memmem(data, size, "\\u", 2) != NULL)
        return 0;
    name = strndup((const char *)data, (size_t)(end - data));
    ask(&ctx, name, end + 1, size - (size_t)(end + 1 - data), true);
    ask(&ctx, name, end + 1, size - (size_t)(end + 1 - data), false);
    free(name);
    return 0;
}
