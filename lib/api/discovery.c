#include "api/admission/api_call.h"
#include "api/documents/documents.h"

#include "api/endpoint/endpoint.h"
#include "api/endpoint/shapes.h"
#include "service/ctx.h"

/* ---- what it answers ---- */

/* clang-format off */
static const struct schema openapi_schema = { "OpenApiDocument", "An OpenAPI 3.1 description", FIELDS {
    { "openapi", TEXT("3.1.0"), "Version of OpenAPI" },
    { "info",    FREE,          "Title and version" },
    { "paths",   FREE,          "The endpoints" },
    END }, .open = true };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *get_openapi(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->openapi);
}

static struct reply *get_llms(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->llms);
}

static struct reply *get_llms_full(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->llms_full);
}

static struct reply *get_card(struct api_call *c, const void *arg)
{
    const struct documents *d = c->ctx->documents;
    const char *version = request_header(c->rq, "HTTP_A2A_VERSION");
    bool v10 = version != NULL && *version == '1';
    struct reply *rp = reply_document(c->rq, v10 ? &d->card_v10 : &d->card);

    (void)arg;
    reply_header(rp, "Vary: A2A-Version");
    return rp;
}

static struct reply *get_index(struct api_call *c, const void *arg)
{
    struct reply *rp = reply_document(c->rq, &c->ctx->documents->index);

    (void)arg;
    reply_header(rp, "Link: </llms.txt>; rel=\"describedby\"");
    reply_header(rp, "Vary: Accept"); /* the web server has a page for browsers at this address */
    return rp;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/openapi",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_openapi,
        .flags = LISTS,
        .tool = "get_openapi",
        .summary = "OpenAPI description",
        .about = "This document; `ETag` tells whether it has changed.",
        .tag = TAG_DISCOVERY,
        .status = 200,
        .answer = &openapi_schema,
    },
    {
        .method = GET,
        .path = "/llms.txt",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_llms,
        .summary = "This API as text for language models",
    },
    {
        .method = GET,
        .path = "/llms-full.txt",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_llms_full,
        .summary = "The same with every parameter and answer",
    },
    {
        .method = GET,
        .path = "/.well-known/agent.json",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_card,
        .summary = "The agent card",
    },
    {
        .method = GET,
        .path = "/.well-known/agent-card.json",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_card,
        .summary = "The agent card",
    },
    {
        .method = GET,
        .path = "/",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_index,
        .summary = "Where the documents are",
    },
};

const struct endpoint_group discovery_endpoints = { ENDPOINT_ROWS(rows) };
