/* llms-full.txt: llms.txt, and after it every call with its parameters, an example and its errors. */
#include "api/docs.h"
#include "api/documents.h"
#include "api/json_schema.h"
#include "core/buf.h"

enum { FULL_MAX = 512 * 1024 };

static void add_json(struct buf *out, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));

    buf_adds(out, text != NULL ? text : "");
    free(text);
    json_decref(value);
}

/* ---- parameters ---- */

/* Type and bounds, as the schema has them. */
static void add_rules(struct buf *out, const json_t *schema)
{
    static const char *const rules[] = { "enum",      "default",   "minimum", "maximum",
                                         "minLength", "maxLength", "pattern" };

    add_json(out, json_incref(json_object_get(schema, "type")));
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        json_t *rule = json_object_get(schema, rules[i]);

        if (rule == NULL)
            continue;
        buf_addf(out, ", %s ", rules[i]);
        add_json(out, json_incref(rule));
    }
}

static void add_params(struct buf *out, const struct param *table)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        json_t *schema = schema_of_param(p);

        buf_addf(out, "- `%s` (", p->name);
        add_rules(out, schema);
        json_decref(schema);
        buf_addf(out, "%s): %s", p->required ? ", required" : "", p->about);
        if (p->example != NULL) {
            buf_adds(out, "; such as ");
            add_json(out, schema_param_example(p));
        }
        buf_adds(out, "\n");
    }
}

/* ---- calls ---- */

static void add_errors(struct buf *out, struct arena *a, const struct endpoint *ep,
                       const struct endpoint_doc *doc)
{
    buf_adds(out, "Errors of its own:");
    if (ep->denied != NULL)
        buf_addf(out, " %d `%s`;", ep->denied->status, ep->denied->text);
    for (size_t i = 0; doc->errors != NULL && doc->errors[i] != NULL; i++)
        buf_addf(out, " %d `%s`;", doc->errors[i]->status,
                 err_fmt(a, doc->errors[i], "<name>", "<chain>")->text);
    buf_addf(out, " %d `%s`\n\n", ep->internal->status, ep->internal->text);
}

static void add_call(struct buf *out, struct arena *a, const struct endpoint *ep,
                     const struct endpoint_doc *doc)
{
    buf_addf(out, "### %s %s\n\n%s%s, tool `%s`. %s\n\n", method_text(ep->method), ep->path, ep->summary,
             ep->auth == AUTH_NONE ? " (no key)" : "", ep->tool, doc->about);
    if (doc->path_param != NULL)
        buf_addf(out, "- `%s` (in the path): %s\n", doc->path_param->name, doc->path_param->about);
    if (ep->params != NULL)
        add_params(out, ep->params);
    if (ep->flags & ONCE)
        buf_adds(out,
                 "- `Idempotency-Key` (header, 1 to 255 characters): repeats get the first success again\n");
    buf_addf(out, "\nAnswers %d", doc->status);
    if (doc->answer != NULL) {
        buf_adds(out, ", such as\n\n```json\n");
        add_json(out, schema_example(doc->answer));
        buf_adds(out, "\n```");
    }
    buf_adds(out, "\n\n");
    add_errors(out, a, ep, doc);
}

char *llms_full_write(struct arena *a, const char *base_url)
{
    struct buf out = BUF_INIT(FULL_MAX);
    char *text;

    buf_addf(&out, "%s\n## Every call\n\n", llms_write(a, base_url));
    for (size_t i = 0; i < endpoints_count; i++) {
        const struct endpoint_doc *doc = endpoint_doc(&endpoints[i]);

        if (doc != NULL)
            add_call(&out, a, &endpoints[i], doc);
    }
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
