#include "api/documents/llms_calls.h"

#include <string.h>

#include "api/documents/json_schema.h"

void llms_add_template(struct buf *out, const char *text, const char *address)
{
    for (; *text != '\0'; text++) {
        if (*text == '@')
            buf_adds(out, address);
        else
            buf_add(out, text, 1);
    }
}

static void add_json(struct buf *out, json_t *value)
{
    char *text = json_is_string(value)
                     ? strdup(json_string_value(value))
                     : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));

    buf_adds(out, text != NULL ? text : "");
    free(text);
    json_decref(value);
}

/* What it may be, unless it is a text. */
static void add_type(struct buf *out, const struct param *p, const json_t *schema)
{
    const json_t *type = json_object_get(schema, "type");
    const char *mark = " ";

    for (const char *const *choice = p->choices; choice != NULL && *choice != NULL; choice++, mark = "|")
        buf_addf(out, "%s%s", mark, *choice);
    if (json_is_string(type) && strcmp(json_string_value(type), "string") != 0)
        buf_addf(out, " (%s)", json_string_value(type));
}

/* `inside`: "params." for the members of a member. */
static void add_params(struct buf *out, const struct param *table, const char *inside)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        json_t *schema = schema_of_param(p), *about = schema_param_about(table, p);
        json_t *dflt = json_object_get(schema, "default");

        buf_addf(out, "- %s%s%s", inside, p->name, param_is_required(table, p) ? "*" : "");
        add_type(out, p, schema);
        if (dflt != NULL && !json_is_false(dflt)) {
            buf_adds(out, " = ");
            add_json(out, json_incref(dflt));
        }
        buf_addf(out, ": %s", json_string_value(about));
        if (p->example != NULL && p->choices == NULL) {
            buf_adds(out, "; such as ");
            add_json(out, schema_param_example(p));
        }
        buf_adds(out, "\n");
        json_decref(schema);
        json_decref(about);
        for (const struct param *const *of = p->of; of != NULL && *of != NULL; of++)
            add_params(out, *of, "params.");
    }
}

void llms_add_call(struct buf *out, const struct endpoint *ep)
{
    buf_addf(out, "**%s %s** %s%s: %s. %s\n", method_text(ep->method), ep->path + strlen(V1), ep->tool,
             ep->auth == AUTH_NONE ? ", no key" : "", ep->summary, ep->about);
    if (ep->path_param != NULL)
        buf_addf(out, "- %s*: %s\n", ep->path_param->name, ep->path_param->about);
    if (ep->params != NULL)
        add_params(out, ep->params, "");
}

static void add_members(struct buf *out, const struct schema *s, const char *mark)
{
    for (const struct schema_field *f = s->fields; f->name != NULL; f++) {
        if (strcmp(f->name, "success") == 0 || (f->marks & FULL_ONLY) != 0)
            continue;
        buf_addf(out, "%s%s", mark, f->name);
        mark = ", ";
        if (f->kind == S_OBJECT || f->kind == S_LIST || f->kind == S_MAP) {
            buf_adds(out, f->kind == S_OBJECT ? "{" : "[{");
            add_members(out, f->of, "");
            buf_adds(out, f->kind == S_OBJECT ? "}" : "}]");
        }
    }
    if (s->base != NULL)
        add_members(out, s->base, mark);
}

void llms_add_answer(struct buf *out, const struct endpoint *ep)
{
    if (ep->answer != NULL) {
        buf_adds(out, "→ ");
        add_members(out, ep->answer, "");
    }
    buf_adds(out, "\n\n");
}
