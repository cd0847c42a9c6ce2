/* The A2A agent card. It names what the gateway can do; it names no interface of the A2A protocol, because
 * none is served: clients take a declared interface for one that works. */
#include "api/docs.h"
#include "api/documents.h"

static json_t *word_list(const char *const *words)
{
    json_t *list = json_array();

    for (; *words != NULL; words++)
        json_array_append_new(list, json_string(*words));
    return list;
}

/* What the tools of the skill do, in the order of the table; NULL when it has none. */
static char *skill_about(struct arena *a, const struct doc_skill *skill)
{
    char *about = NULL;

    for (size_t i = 0; i < endpoints_count; i++) {
        const struct endpoint *ep = &endpoints[i];
        const struct endpoint_doc *doc = endpoint_doc(ep);

        if (doc != NULL && doc->skill == skill)
            about = about == NULL ? arena_printf(a, "%s (%s)", ep->summary, ep->tool)
                                  : arena_printf(a, "%s; %s (%s)", about, ep->summary, ep->tool);
    }
    return about;
}

static json_t *skills(struct arena *a)
{
    json_t *list = json_array();

    for (size_t i = 0; i < doc_skills_count; i++) {
        const struct doc_skill *s = &doc_skills[i];
        const char *about = skill_about(a, s);

        if (about != NULL)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:o}", "id", s->id, "name", s->name,
                                                  "description", about, "tags", word_list(s->tags),
                                                  "examples", word_list(s->examples)));
    }
    return list;
}

json_t *card_write(struct arena *a, const char *base_url)
{
    return json_pack(
        "{s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:{s:b, s:b}, s:[s], s:[s], s:{s:{s:s, s:s}}, s:[{s:[]}], s:o}",
        "name", GATEWAY_NAME, "description", GATEWAY_ABOUT, "version", GATEWAY_VERSION, "provider",
        "organization", "The gateway's operator", "url", base_url, "documentationUrl",
        arena_printf(a, "%s/llms.txt", base_url), "capabilities", "streaming", 0, "pushNotifications", 0,
        "defaultInputModes", "application/json", "defaultOutputModes", "application/json", "securitySchemes",
        "apiKey", "type", "http", "scheme", "bearer", "security", "apiKey", "skills", skills(a));
}
