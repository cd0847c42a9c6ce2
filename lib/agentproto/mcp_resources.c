/* Resources: documents and tables that a client may show to its model. Each is an operation that reads. */
#include <string.h>

#include "agentproto/mcp_internal.h"
#include "api/admission/operation.h"
#include "base/buf.h"
#include "codec/query_string.h"

enum { RESOURCE_NOT_FOUND = -32002 }; /* before 2026-07-28 */

/* "@" stands for base_url. A {name}, which the client fills in, makes the row a template. */
static const struct resource {
    const char *uri, *name, *title, *about, *mime;
    const char *path;     /* of the row */
    const char *argument; /* of the operation, which gets what stands for {name} */
    bool open;            /* to all callers, though the operation needs a key elsewhere */
} resources[] = {
    { "@/llms.txt", "llms.txt", "Summary", "The whole API in short, for language models", "text/markdown",
      "/llms.txt", NULL, true },
    { "@/llms/{section}", "section", "Section", "A section of it, such as perps.txt, with every parameter",
      "text/markdown", "/llms/{section}", "section", true },
    { "@/llms-full.txt", "llms-full.txt", "Reference", "The same with every parameter and answer",
      "text/markdown", "/llms-full.txt", NULL, true },
    { "@" V1 "/openapi", "openapi", "OpenAPI", "Every parameter, answer and error", "application/json",
      V1 "/openapi", NULL, true },
    { "gateway://chains", "chains", "Chains", "The chains that the service knows", "application/json",
      V1 "/chains", NULL, true },
    { "gateway://tokens/{chain}", "tokens", "Tokens of a chain", "Symbols, addresses and decimals",
      "application/json", V1 "/tokens", "chain", true },
    { "gateway://swaps/{swap_id}", "swap", "A swap", "Where a swap of the agent stands", "application/json",
      V1 "/swap/status/{swapId}", "swapId", false },
};

enum { RESOURCES = sizeof resources / sizeof resources[0] };

static const char *uri_full(struct arena *a, const char *base_url, const char *uri)
{
    return *uri == '@' ? arena_printf(a, "%s%s", base_url, uri + 1) : uri;
}

const char *mcp_resources_make(struct arena *a, const char *base_url, bool templates)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jw_array(&w, NULL);
    for (size_t i = 0; i < RESOURCES; i++) {
        const struct resource *r = &resources[i];

        if ((r->argument != NULL) != templates)
            continue;
        jw_object(&w, NULL);
        jw_string(&w, templates ? "uriTemplate" : "uri", uri_full(a, base_url, r->uri));
        jw_string(&w, "name", r->name);
        jw_string(&w, "title", r->title);
        jw_string(&w, "description", r->about);
        jw_string(&w, "mimeType", r->mime);
        jw_end(&w);
    }
    jw_end(&w);
    return jw_finish(&w);
}

bool mcp_resources_list(struct mcp_call *c)
{
    return mcp_page(c, "resources", c->mcp->resources);
}

bool mcp_templates_list(struct mcp_call *c)
{
    return mcp_page(c, "resourceTemplates", c->mcp->templates);
}

bool mcp_template_has(const char *uri, const char *name)
{
    const char *open = strchr(uri, '{');
    size_t n = strlen(name);

    for (size_t i = 0; open != NULL && i < RESOURCES; i++)
        if (strcmp(resources[i].uri, uri) == 0)
            return strncmp(open + 1, name, n) == 0 && open[1 + n] == '}';
    return false;
}

/* ---- reading ---- */

/* The row of the URI, and what stands for its {name}. */
static const struct resource *resource_find(const struct mcp_call *c, const char *uri, const char **value)
{
    for (size_t i = 0; i < RESOURCES; i++) {
        const char *full = uri_full(c->api->arena, c->mcp->base_url, resources[i].uri);
        size_t fixed = strcspn(full, "{");

        if (strncmp(uri, full, fixed) != 0)
            continue;
        *value = uri + fixed;
        if ((**value == '\0') == (full[fixed] == '\0') && strchr(*value, '/') == NULL)
            return &resources[i];
    }
    return NULL;
}

static struct endpoint resource_operation(const struct resource *r)
{
    struct endpoint ep = *endpoints_find(GET, r->path);

    ep.tool = NULL; /* hosts read resources where there is room for them */
    if (r->open) {
        ep.auth = AUTH_NONE;
        ep.denied = NULL;
    }
    return ep;
}

static bool resource_not_found(struct mcp_call *c, const char *uri)
{
    struct json_writer w;

    jw_init(&w, c->api->arena, MAX_UPSTREAM);
    jw_object(&w, NULL);
    jw_string(&w, "uri", err_shown(c->api->arena, uri));
    jw_end(&w);
    c->data = jw_finish(&w);
    return mcp_fail(c, c->modern ? JSONRPC_INVALID_PARAMS : RESOURCE_NOT_FOUND, "Resource not found");
}

static struct reply *resource_read(struct mcp_call *c, const struct resource *r, const struct endpoint *ep,
                                   const char *value)
{
    const char *text = query_unescape(c->api->arena, value, strlen(value), false);
    json_t *arguments = json_object();
    struct reply *rp = NULL;

    if (r->argument == NULL ||
        (text != NULL && json_object_set_new(arguments, r->argument, json_string(text)) == 0))
        rp = mcp_operation(c, ep, arguments, false);
    json_decref(arguments);
    return rp;
}

static void contents_write(struct json_writer *w, const char *uri, const char *mime, const char *text)
{
    jw_array(w, "contents");
    jw_object(w, NULL);
    jw_string(w, "uri", uri);
    jw_string(w, "mimeType", mime);
    jw_string(w, "text", text);
    jw_end(w);
    jw_end(w);
}

bool mcp_resources_read(struct mcp_call *c)
{
    const char *uri = mcp_text(c, "uri"), *value;
    const struct resource *r;
    struct endpoint ep;
    struct reply *rp;

    if (uri == NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, "uri is required");
    r = resource_find(c, uri, &value);
    if (r == NULL)
        return resource_not_found(c, uri);
    ep = resource_operation(r);
    rp = resource_read(c, r, &ep, value);
    if (rp != NULL && mcp_shut_out(c, rp))
        return false;
    if (rp != NULL && reply_status(rp) >= 500)
        return mcp_fail(c, JSONRPC_INTERNAL_ERROR, "Internal error");
    if (rp == NULL || reply_status(rp) != 200)
        return resource_not_found(c, uri);
    c->private = !r->open;
    if (c->private)
        c->ttl_ms = 0;
    contents_write(&c->result, uri, r->mime, reply_text(rp));
    return true;
}
