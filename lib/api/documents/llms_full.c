/* llms-full.txt: llms.txt, what its sections say, and after it every call with its parameters, an example and
 * its errors. */
#include "api/documents/documents.h"
#include "api/documents/json_schema.h"
#include "api/documents/llms_calls.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"

/* The texts that `fields` may have for a member of any call. */
static const char VALIDATION[] =
    "\n## What is wrong with a request\n\n"
    "All faults are reported at once: `error` is the first, `fields` has each by the member's name. Where a member has no wording of its own below, `error` is `Validation failed`. A member that is missing: `<name> is required`. One that the call does not know: `Unknown field '<name>'`, with `did you mean '<name>'?`, `is not known here` or `belongs in the body` (of a query string); `hint` lists those that it takes. Two that say the same: `cannot be given with <name>, which says it`. A field may say: `is required`; `must be a string`; `must not contain NUL`; `must have at most N characters`; `must be one of …`; `must be a string with a positive number in plain decimal digits`; `must be a number between 0 and 1`; `must be a whole number from N to M`; `must be true or false`; `must be an object`; `must have at most N bytes`; `must not have a number out of range`; `must be a list of 1 to N strings`; `must hold strings that are not empty`; `is no member of a <type>` (of a policy). Of a whole body (`_root`): `must be a JSON object`; `must be well-formed JSON`; `must not have a key twice`; `must not be nested deeper than 32`; `must be a well-formed query string`; `must not have a name twice` (of a query string).\n\n";

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

/* `inside`: "params." and the like, for the members of a member. */
static void add_params(struct buf *out, const struct param *table, const char *inside)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        json_t *schema = schema_of_param(p), *about = schema_param_about(table, p);

        buf_addf(out, "- `%s%s` (", inside, p->name);
        add_rules(out, schema);
        buf_addf(out, "%s): %s", param_is_required(table, p) ? ", required" : "", json_string_value(about));
        json_decref(schema);
        json_decref(about);
        if (p->example != NULL) {
            buf_adds(out, "; such as ");
            add_json(out, schema_param_example(p));
        }
        buf_adds(out, "\n");
        for (const struct param *const *of = p->of; of != NULL && *of != NULL; of++)
            add_params(out, *of, "params.");
    }
}

/* ---- calls ---- */

static void add_param_errors(struct buf *out, struct arena *a, const struct param *table)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        if (p->required || p->needed)
            buf_addf(out, " 400 `%s`;",
                     p->absent != NULL ? p->absent->text : err_fmt(a, &E_REQUIRED, p->name, NULL)->text);
        if (p->bad != NULL)
            buf_addf(out, " %d `%s`;", p->bad->status, p->bad->text);
    }
}

static void add_errors(struct buf *out, struct arena *a, const struct endpoint *ep)
{
    buf_adds(out, "Errors of its own:");
    if (ep->params != NULL)
        add_param_errors(out, a, ep->params);
    if (ep->denied != NULL)
        buf_addf(out, " %d `%s`;", ep->denied->status, ep->denied->text);
    for (size_t i = 0; ep->errors != NULL && ep->errors[i] != NULL; i++)
        buf_addf(out, " %d `%s`;", ep->errors[i]->status,
                 err_fmt(a, ep->errors[i], "<name>", "<chain>")->text);
    buf_addf(out, " %d `%s`\n\n", ep->internal->status, ep->internal->text);
}

static void add_call(struct buf *out, struct arena *a, const struct endpoint *ep)
{
    buf_addf(out, "### %s %s\n\n%s%s, tool `%s`. %s\n\n", method_text(ep->method), ep->path, ep->summary,
             ep->auth == AUTH_NONE ? " (no key)" : "", ep->tool, ep->about);
    if (ep->path_param != NULL)
        buf_addf(out, "- `%s` (in the path): %s\n", ep->path_param->name, ep->path_param->about);
    if (ep->params != NULL)
        add_params(out, ep->params, "");
    if (ep->flags & ONCE)
        buf_adds(
            out,
            "- `Idempotency-Key` (header, 1 to 255 characters): repeats get the first success again, with a fresh quote too\n");
    buf_addf(out, "\nAnswers %d", ep->status);
    if (ep->answer != NULL) {
        buf_adds(out, ", such as\n\n```json\n");
        add_json(out, schema_example(ep->answer));
        buf_adds(out, "\n```");
    }
    buf_adds(out, "\n\n");
    add_errors(out, a, ep);
}

char *llms_full_write(struct arena *a, const char *base_url, const struct ctx *ctx)
{
    struct buf out = BUF_INIT(FULL_MAX);
    char *text;

    buf_addf(&out, "%s\n", llms_write(a, base_url, ctx));
    for (size_t i = 0; i < TOOLSETS; i++)
        llms_add_prose(&out, a, base_url, i);
    buf_adds(&out, VALIDATION);
    buf_adds(&out, "## Every call\n\n");
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_is_documented(*ep))
            add_call(&out, a, *ep);
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
