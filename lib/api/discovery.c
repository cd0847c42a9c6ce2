#include "api/admission/api_call.h"
#include "api/documents/documents.h"

#include <string.h>

#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "base/json_writer.h"
#include "service/ctx.h"

/* ---- parameters ---- */

struct openapi_in {
    const char *operation, *tags;
};

static const char *operations_fault(const char *names, const void *env)
{
    (void)env;
    return openapi_knows_operations(names) ? NULL
                                           : "must be names of operations, such as get_quote, with commas";
}

static const char *tags_fault(const char *names, const void *env)
{
    (void)env;
    return openapi_knows_tags(names) ? NULL
                                     : "must be tags of the description, such as Perpetuals, with commas";
}

static const char *const *tags_known(void)
{
    static const char *names[AGENT_TAGS + 1];

    for (size_t i = 1; i < AGENT_TAGS; i++)
        names[i - 1] = doc_tags[i].name;
    return names;
}

static const struct param openapi_params[] = {
    { "operation", P_TEXT, INTO(struct openapi_in, operation), .min = 1, .max = 1000,
      .check = operations_fault,
      .about = "Only these operations: names of tools or of the description, with commas",
      .example = "get_quote" },
    { "tags", P_TEXT, INTO(struct openapi_in, tags), .min = 1, .max = 1000, .check = tags_fault,
      .about = "Only operations with one of these tags, with commas", .known = tags_known,
      .example = "Quotes" },
    { 0 },
};

/* ---- its answers ---- */

/* clang-format off */
static const struct schema openapi_schema = { "OpenApiDocument", "An OpenAPI 3.1 description", FIELDS {
    { "openapi", TEXT("3.1.0"), "Version of OpenAPI" },
    { "info",    FREE,          "Title and version" },
    { "paths",   FREE,          "The endpoints" },
    END }, .open = true };
/* clang-format on */

/* ---- handlers ---- */

static bool is_tool_call(const struct api_call *c)
{
    return c->arguments != NULL && c->endpoint->tool != NULL;
}

/* A part, made for this call. */
static struct reply *reply_part(struct api_call *c, const struct openapi_part *part)
{
    json_t *document = openapi_write(c->arena, c->ctx->documents->base_url, FOR_AGENTS, part);
    const char *text = jw_text_of(c->arena, document, JSON_REAL_PRECISION(6));

    json_decref(document);
    return reply_recorded(c->rq, 200, text);
}

/* No model has room for the whole. */
static struct reply *get_openapi(struct api_call *c, const void *arg)
{
    const struct openapi_in *in = arg;
    const struct openapi_part part = { in->operation, in->tags };

    if (in->operation != NULL || in->tags != NULL)
        return reply_part(c, &part);
    if (is_tool_call(c))
        return reply_err(c->rq, &E_PART_REQUIRED);
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

static struct reply *get_llms_section(struct api_call *c, const void *arg)
{
    (void)arg;
    for (size_t i = 0; i < TOOLSETS; i++)
        if (strcmp(c->captured, arena_printf(c->arena, "%s.txt", llms_section_name(i))) == 0)
            return reply_document(c->rq, &c->ctx->documents->llms_sections[i]);
    return reply_err(c->rq, err_hint(c->arena, &E_NOT_FOUND, "/llms.txt links to the sections"));
}

static struct reply *get_skill(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->skill);
}

static struct reply *get_registry_entry(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_document(c->rq, &c->ctx->documents->registry_entry);
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
        TAKES(openapi_params, struct openapi_in),
        .handler = get_openapi,
        .flags = LISTS | CORE,
        .tool = "get_openapi",
        .summary = "OpenAPI description",
        .about =
            "This document, or the part of it that `operation` or `tags` names, with what that refers to; as a tool it wants one of them. `ETag` of the whole tells whether it has changed.",
        .tag = TAG_DISCOVERY,
        .status = 200,
        .answer = &openapi_schema,
        .errors = ERRORS{ &E_PART_REQUIRED, &E_ANSWER_LARGE, NULL },
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
        .path = "/llms/{section}",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_llms_section,
        .summary = "A section of the same, with the parameters of its calls",
    },
    {
        .method = GET,
        .path = "/skill.md",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_skill,
        .summary = "What agents do here, step by step, as a skill",
    },
    {
        .method = GET,
        .path = "/.well-known/mcp/server.json",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        .handler = get_registry_entry,
        .summary = "The MCP registry's entry",
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
