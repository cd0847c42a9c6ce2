/* The A2A agent card: version 1.0 for clients that ask for it, else one that both versions can read, which is
 * 0.3's with 1.0's list of interfaces, where clients of 1.0 look first. */
#include "api/documents/documents.h"
#include "api/documents/json_schema.h"
#include "api/documents/offered.h"
#include "api/endpoint/endpoint.h"

static json_t *word_list(const char *const *words)
{
    json_t *list = json_array();

    for (; *words != NULL; words++)
        json_array_append_new(list, json_string(*words));
    return list;
}

/* The description of the skill's tools, in listing order; NULL when it has none. */
static char *skill_about(struct arena *a, enum doc_skill_id skill)
{
    char *about = NULL;

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;

        if (ep->skill == skill)
            about = about == NULL ? arena_printf(a, "%s (%s)", ep->summary, ep->tool)
                                  : arena_printf(a, "%s; %s (%s)", about, ep->summary, ep->tool);
    }
    return about;
}

/* A call as the data part of a message, with the parameters that have an example. */
static json_t *call_example(const struct endpoint *ep)
{
    const struct schema_field *in_path = ep->path_param;
    json_t *arguments = json_object(), *call, *example;
    char *text;

    if (in_path != NULL)
        json_object_set_new(arguments, in_path->name, json_string(in_path->example));
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (p->kind != P_NULLABLE && p->example != NULL)
            json_object_set_new(arguments, p->name, schema_param_example(p));
    call = json_pack("{s:s, s:o}", "operation", ep->tool, "arguments", arguments);
    text = json_dumps(call, JSON_COMPACT);
    example = json_string(text);
    free(text);
    json_decref(call);
    return example;
}

/* Sentences that this server understands and can do, then one call. */
static json_t *skill_examples(enum doc_skill_id skill, const struct ctx *ctx)
{
    json_t *list = json_array();

    for (const char *const *text = doc_skills[skill].examples; *text != NULL; text++)
        if (offered_command(ctx, *text))
            json_array_append_new(list, json_string(*text));
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        if ((*ep)->skill != skill)
            continue;
        json_array_append_new(list, call_example(*ep));
        break;
    }
    return list;
}

/* Only skills with example sentences take plain English. */
static json_t *input_modes(const struct doc_skill *skill)
{
    return skill->examples[0] != NULL ? json_pack("[s, s]", "text/plain", "application/json")
                                      : json_pack("[s]", "application/json");
}

static json_t *skills_json(struct arena *a, const struct ctx *ctx)
{
    json_t *list = json_array();

    for (enum doc_skill_id skill = SKILL_QUOTE; skill < DOC_SKILLS; skill++) {
        const struct doc_skill *s = &doc_skills[skill];
        const char *about = skill_about(a, skill);

        if (about != NULL)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:[s, s]}", "id", s->id, "name",
                                            s->name, "description", about, "tags", word_list(s->tags),
                                            "examples", skill_examples(skill, ctx), "inputModes",
                                            input_modes(s), "outputModes", "application/json", "text/plain"));
    }
    return list;
}

static json_t *interface_json(const char *url, const char *version)
{
    return json_pack("{s:s, s:s, s:s}", "url", url, "protocolBinding", "JSONRPC", "protocolVersion", version);
}

static json_t *card_common(struct arena *a, const char *base_url, const char *url, const struct ctx *ctx)
{
    return json_pack(
        "{s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:{s:b, s:b, s:b}, s:[s, s], s:[s, s], s:[o, o], s:o}", "name",
        GATEWAY_NAME, "description", GATEWAY_ABOUT, "version", GATEWAY_VERSION, "provider", "organization",
        "The gateway's operator", "url", base_url, "documentationUrl",
        arena_printf(a, "%s/llms.txt", base_url), "capabilities", "streaming", 0, "pushNotifications", 1,
        "extendedAgentCard", 0, "defaultInputModes", "text/plain", "application/json", "defaultOutputModes",
        "application/json", "text/plain", "supportedInterfaces", interface_json(url, "1.0"),
        interface_json(url, "0.3"), "skills", skills_json(a, ctx));
}

/* The members that the versions name differently. */
static json_t *card_of_version(const char *url, bool v10)
{
    if (v10)
        return json_pack("{s:{s:{s:{s:s}}}, s:[{s:{s:{s:[]}}}]}", "securitySchemes", "apiKey",
                         "httpAuthSecurityScheme", "scheme", "Bearer", "securityRequirements", "schemes",
                         "apiKey", "list");
    return json_pack("{s:s, s:s, s:s, s:{s:{s:s, s:s}}, s:[{s:[]}], s:b}", "protocolVersion", "0.3.0", "url",
                     url, "preferredTransport", "JSONRPC", "securitySchemes", "apiKey", "type", "http",
                     "scheme", "bearer", "security", "apiKey", "supportsAuthenticatedExtendedCard", 0);
}

json_t *card_write(struct arena *a, const char *base_url, bool v10, const struct ctx *ctx)
{
    const char *url = arena_printf(a, "%s/a2a", base_url);
    json_t *card = card_common(a, base_url, url, ctx), *words = card_of_version(url, v10);

    json_object_update(card, words);
    json_decref(words);
    return card;
}
