#include "api/documents/documents.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/endpoints.h"
#include "api/shapes.h"
#include "base/file.h"
#include "base/log.h"
#include "base/view.h"
#include "service/ctx.h"

/* ---- what they answer ---- */

/* clang-format off */
static const struct schema openapi_schema = { "OpenApiDocument", "An OpenAPI 3.1 description", FIELDS {
    { "openapi", TEXT("3.1.0"), "Version of OpenAPI" },
    { "info",    FREE,          "Title and version" },
    { "paths",   FREE,          "The endpoints" },
    END }, .open = true };
/* clang-format on */

/* How long they may be kept; conf/lighttpd.conf and apache.conf say the same of the files. */
enum { SHORT_S = 300, HOUR_S = 3600 };

static void set_json(struct documents *d, struct document *out, int max_age_s, json_t *document)
{
    const char *text;

    if (document == NULL)
        log_fatal("msg=\"a document cannot be written\"");
    text = view_dump(d->arena, document, JSON_REAL_PRECISION(6));
    json_decref(document);
    document_set(d->arena, out, max_age_s, "application/json", text, strlen(text));
}

/* For whoever opens the address itself. */
static json_t *index_write(struct arena *a, const char *base_url)
{
    return json_pack("{s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "success", 1, "name", GATEWAY_NAME,
                     "version", GATEWAY_VERSION, "api", arena_printf(a, "%s" V1, base_url), "documentation",
                     arena_printf(a, "%s/llms.txt", base_url), "openapi",
                     arena_printf(a, "%s" V1 "/openapi", base_url), "agent_card",
                     arena_printf(a, "%s/.well-known/agent-card.json", base_url), "mcp",
                     arena_printf(a, "%s/mcp", base_url), "a2a", arena_printf(a, "%s/a2a", base_url));
}

struct documents *documents_new(const char *base_url, const struct nodes *nodes)
{
    struct arena *a = arena_new();
    struct documents *d = ARENA_NEW(a, struct documents);
    size_t n = strlen(base_url);
    char *llms, *full;

    while (n > 0 && base_url[n - 1] == '/')
        n--;
    base_url = arena_strndup(a, base_url, n);
    d->arena = a;
    set_json(d, &d->openapi, SHORT_S, openapi_write(a, base_url));
    set_json(d, &d->card, HOUR_S, card_write(a, base_url, false, nodes));
    set_json(d, &d->card_v10, HOUR_S, card_write(a, base_url, true, nodes));
    set_json(d, &d->index, SHORT_S, index_write(a, base_url));
    llms = llms_write(a, base_url, nodes);
    document_set(a, &d->llms, SHORT_S, "text/plain; charset=utf-8", llms, strlen(llms));
    full = llms_full_write(a, base_url, nodes);
    document_set(a, &d->llms_full, SHORT_S, "text/plain; charset=utf-8", full, strlen(full));
    return d;
}

void documents_free(struct documents *d)
{
    arena_free(d->arena);
}

/* The directories on the way to a file. Readable for all, as the documents are. */
static bool make_way(char *path, size_t below)
{
    for (char *slash = path + below; (slash = strchr(slash, '/')) != NULL; slash++) {
        bool ok;

        *slash = '\0';
        ok = (mkdir(path, 0755) == 0 || errno == EEXIST) && chmod(path, 0755) == 0;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

/* The tag is written last and read first: it is never newer than the text that it is sent with. */
static bool publish(const struct document *d, char *path, size_t below, struct arena *a)
{
    return make_way(path, below) && file_replace(path, d->body, d->len, 0644) &&
           file_replace(arena_printf(a, "%s.gz", path), d->gzip, d->gzip_len, 0644) &&
           file_replace(arena_printf(a, "%s.etag", path), d->etag, strlen(d->etag), 0644);
}

void documents_publish(const struct documents *d, const char *dir)
{
    const struct {
        const char *address;
        const struct document *document;
    } files[] = {
        { V1 "/openapi", &d->openapi },
        { "/llms.txt", &d->llms },
        { "/llms-full.txt", &d->llms_full },
        { "/.well-known/agent.json", &d->card },
        { "/.well-known/agent-card.json", &d->card },
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *path = arena_printf(d->arena, "%s%s", dir, files[i].address);

        if (publish(files[i].document, path, strlen(dir), d->arena))
            continue;
        log_warn("msg=\"no file for the web server\" file=%s reason=\"%s\"", path, strerror(errno));
        (void)unlink(arena_printf(d->arena, "%s.etag", path));
    }
}

struct reply *ep_openapi(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->openapi);
}

struct reply *ep_llms(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->llms);
}

struct reply *ep_llms_full(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->llms_full);
}

struct reply *ep_card(struct api_call *c, const void *arg)
{
    const struct documents *d = c->ctx->documents;
    const char *version = request_header(c->rq, "HTTP_A2A_VERSION");
    bool v10 = version != NULL && *version == '1';
    struct reply *rp = reply_document(c->rq, v10 ? &d->card_v10 : &d->card);

    (void)arg;
    reply_header(rp, "Vary: A2A-Version");
    return rp;
}

struct reply *ep_index(struct api_call *c, const void *arg)
{
    struct reply *rp = reply_document(c->rq, &c->ctx->documents->index);

    (void)arg;
    reply_header(rp, "Link: </llms.txt>; rel=\"describedby\"");
    return rp;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/openapi",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_openapi,
        .flags = LISTS,
        .tool = "get_openapi",
        .summary = "OpenAPI description",
        .about = "This document. It needs no key; `ETag` tells whether it has changed.",
        .tag = TAG_DISCOVERY,
        .status = 200,
        .answer = &openapi_schema,
    },
    {
        .method = GET,
        .path = "/llms.txt",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_llms,
        .summary = "This API as text for language models",
    },
    {
        .method = GET,
        .path = "/llms-full.txt",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_llms_full,
        .summary = "The same with every parameter and answer",
    },
    {
        .method = GET,
        .path = "/.well-known/agent.json",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_card,
        .summary = "The agent card",
    },
    {
        .method = GET,
        .path = "/.well-known/agent-card.json",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_card,
        .summary = "The agent card",
    },
    {
        .method = GET,
        .path = "/",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = ep_index,
        .summary = "Where the documents are",
    },
};

const struct endpoint_group discovery_endpoints = { ENDPOINT_ROWS(rows) };
