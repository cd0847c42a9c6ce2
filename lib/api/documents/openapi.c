/* Writes the OpenAPI 3.1 description: a path for each row, its parameters from the row's table, its answers
 * from its shapes, its errors from everything that can refuse it. */
#include <ctype.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/json_schema.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "base/edit_distance.h"

enum { TEXT_KEY_MAX = 96, NAME_MAX_LEN = 64 };

#define COMPACT_ABOUT                                                                                        \
    " With `Prefer: return=minimal` or `?compact=true` answers lack members with `x-compact`: those that are `absent`, and those that are absent `sometimes`, where they would say nothing."

/* The differences of the documents. */
struct side {
    const char *title, *about;
    const char *security, *key_about; /* the scheme's name, and where one gets what it asks for */
    unsigned first_tag, after_tags;
};

static const struct side sides[] = {
    [FOR_AGENTS] = { GATEWAY_NAME, GATEWAY_ABOUT COMPACT_ABOUT, "apiKey",
                     "The API key that POST /register returns once", 1, AGENT_TAGS },
    [FOR_OPERATOR] = { GATEWAY_NAME ": operator",
                       "How the service stands, what became of whose swap, and what only its operator may do. For callers at operator_from alone; every act stands in the audit log with the token's name and the reason.",
                       "token", "A token that agentctl token NAME prints once", AGENT_TAGS, DOC_TAGS },
};

struct writer {
    struct arena *arena;
    enum audience of;
    const struct side *side;
    const struct openapi_part *part; /* NULL: all */
    struct schema_writer shapes;     /* components, added when first mentioned; so are responses */
    json_t *responses;
};

static json_t *component_ref(struct writer *w, const char *kind, const char *name)
{
    return json_pack("{s:o}", "$ref", json_string(arena_printf(w->arena, "#/components/%s/%s", kind, name)));
}

/* ---- parameters ---- */

static json_t *query_params(const struct param *table)
{
    json_t *list = json_array();

    for (const struct param *p = table; p->name != NULL; p++) {
        json_t *o = json_pack("{s:s, s:s, s:o, s:b, s:o}", "name", p->name, "in", "query", "description",
                              schema_param_about(table, p), "required", param_is_required(table, p), "schema",
                              schema_of_param(p));

        if (p->example != NULL)
            json_object_set_new(o, "example", schema_param_example(p));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *path_param(struct writer *w, const struct schema_field *f)
{
    json_t *schema = schema_of_field(&w->shapes, f);

    json_object_del(schema, "description");
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o}", "name", f->name, "in", "path", "description", f->about,
                     "required", 1, "schema", schema, "example", schema_field_example(f));
}

static json_t *idempotency_param(void)
{
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:{s:s, s:i, s:i}, s:s}", "name", "Idempotency-Key", "in", "header",
        "description",
        "Repeats with the same key and terms get the first success again, for 24 hours: a fresh quote of the same trade is the same request",
        "required", 0, "schema", "type", "string", "minLength", 1, "maxLength", 255, "example",
        "8e03978e-40d5-43dd-bc93-6894a57f9324");
}

/* A body with its example; it is optional when none of its members is required. */
static json_t *request_body(struct writer *w, const struct endpoint *ep, const char *name)
{
    const struct param *table = ep->params;
    json_t *example = json_object(), *schema = schema_of_params(table, (ep->flags & LENIENT) != 0);
    bool must = json_object_get(schema, "required") != NULL;

    for (const struct param *p = table; p->name != NULL; p++)
        if (p->example != NULL)
            json_object_set_new(example, p->name, schema_param_example(p));
    name = arena_printf(w->arena, "%sRequest", name);
    json_object_set_new(w->shapes.shapes, name, schema);
    return json_pack("{s:b, s:{s:{s:o, s:o}}}", "required", must, "content", "application/json", "schema",
                     component_ref(w, "schemas", name), "example", example);
}

/* ---- errors ---- */

/* The message as the specification writes it: "Unknown chain '<name>'". */
static const char *error_message(struct writer *w, const struct err *e)
{
    return err_fmt(w->arena, e, "<name>", "<chain>")->text;
}

/* The words of a text joined, such as "UnknownChainName". */
static char *camel_words(struct writer *w, const char *s)
{
    char *out = arena_alloc(w->arena, TEXT_KEY_MAX), *to = out;
    bool begins = true;

    for (; *s != '\0' && to < out + TEXT_KEY_MAX - 1; s++) {
        unsigned char c = (unsigned char)*s;

        if (isalnum(c))
            *to++ = (char)(begins ? toupper(c) : isupper(c) && s[-1] >= 'A' && s[-1] <= 'Z' ? tolower(c) : c);
        begins = !isalnum(c);
    }
    return out;
}

static json_t *error_example(struct writer *w, const struct err *e)
{
    json_t *o =
        json_pack("{s:b, s:s, s:s}", "success", 0, "error", error_message(w, e), "error_code", e->code);

    if (e->hint != NULL)
        json_object_set_new(o, "hint", json_string(e->hint));
    json_object_set_new(o, "request_id", json_string("req-7f3a9c21"));
    return json_pack("{s:o}", "value", o);
}

/* status → { name of the error → example }, in the order of their first mention. */
static void add_error(struct writer *w, json_t *by_status, const struct err *e)
{
    const char *status = arena_printf(w->arena, "%d", e->status);
    const char *key = camel_words(w, error_message(w, e));
    json_t *examples = json_object_get(by_status, status);

    if (examples == NULL) {
        examples = json_object();
        json_object_set_new(by_status, status, examples);
    }
    if (json_object_get(examples, key) != NULL) {
        const char *code = json_string_value(
            json_object_get(json_object_get(json_object_get(examples, key), "value"), "error_code"));

        if (strcmp(code, e->code) == 0)
            return;
        key = camel_words(w, e->code); /* same words, another cause */
    }
    json_object_set_new(examples, key, error_example(w, e));
}

static void add_param_errors(struct writer *w, json_t *by_status, const struct param *table)
{
    for (const struct param *p = table; p->name != NULL; p++) {
        if (p->required || p->needed)
            add_error(w, by_status,
                      p->absent != NULL ? p->absent : err_fmt(w->arena, &E_REQUIRED, p->name, NULL));
        if (p->bad != NULL)
            add_error(w, by_status, p->bad);
    }
}

/* Everything that can refuse a call. */
static json_t *errors_of(struct writer *w, const struct endpoint *ep)
{
    json_t *by_status = json_object();

    add_error(w, by_status, &E_VALIDATION);
    if (ep->params != NULL)
        add_param_errors(w, by_status, ep->params);
    add_error(w, by_status, &E_UNKNOWN_FIELD);
    if (ep->denied != NULL)
        add_error(w, by_status, ep->denied);
    if (endpoint_inactive(ep) != NULL)
        add_error(w, by_status, endpoint_inactive(ep));
    if (endpoint_audience(ep) == FOR_OPERATOR) /* to whom it is hidden from */
        add_error(w, by_status, &E_NOT_FOUND);
    if (endpoint_audience(ep) != FOR_NOBODY || ep->method != GET)
        add_error(w, by_status, &E_IN_THE_CLEAR);
    if (ep->auth == AUTH_OPERATOR && ep->method != GET)
        add_error(w, by_status, &E_READ_ONLY);
    for (size_t i = 0; ep->errors != NULL && ep->errors[i] != NULL; i++)
        add_error(w, by_status, ep->errors[i]);
    if (ep->flags & ONCE) {
        add_error(w, by_status, &E_IDEMPOTENCY_KEY);
        add_error(w, by_status, &E_IN_PROGRESS);
        add_error(w, by_status, &E_QUOTA_RECORDS);
        add_error(w, by_status, &E_IDEMPOTENCY_MISMATCH);
    }
    if (ep->flags & STORES)
        add_error(w, by_status, &E_STORAGE);
    if (ep->method != GET) {
        add_error(w, by_status, &E_LENGTH);
        add_error(w, by_status, &E_TOO_LARGE);
        add_error(w, by_status, &E_MEDIA_TYPE);
    }
    add_error(w, by_status, &E_RATE_LIMITED);
    add_error(w, by_status, ep->internal);
    return by_status;
}

/* Its description lists the messages. */
static json_t *error_response(struct writer *w, int status, json_t *examples)
{
    const char *about = "", *name;
    json_t *example, *o;

    json_object_foreach(examples, name, example)
    {
        const char *s = json_string_value(json_object_get(json_object_get(example, "value"), "error"));

        if (strstr(about, arena_printf(w->arena, "`%s`", s)) == NULL)
            about = arena_printf(w->arena, "%s%s`%s`", about, *about != '\0' ? ", " : "", s);
    }
    o = json_pack("{s:s, s:{s:{s:o, s:O}}}", "description", about, "content", "application/json", "schema",
                  schema_ref(&w->shapes, &error_schema), "examples", examples);
    if (status == E_RATE_LIMITED.status || status == E_IN_PROGRESS.status || status == E_BEHIND.status)
        json_object_set_new(o, "headers",
                            json_pack("{s:{s:s, s:b, s:{s:s, s:s, s:i}}}", "Retry-After", "description",
                                      "Seconds after which to try again", "required",
                                      status == E_RATE_LIMITED.status, "schema", "type", "integer", "format",
                                      "int32", "minimum", 0));
    return o;
}

/* A response with a single error is shared by endpoints, and stands among the components. */
static void add_error_responses(struct writer *w, json_t *responses, json_t *by_status)
{
    const char *status;
    json_t *examples;

    json_object_foreach(by_status, status, examples)
    {
        const char *name = json_object_iter_key(json_object_iter(examples));
        json_t *response = error_response(w, (int)strtol(status, NULL, 10), examples);

        if (json_object_size(examples) > 1) {
            json_object_set_new(responses, status, response);
            continue;
        }
        json_object_set_new(w->responses, name, response);
        json_object_set_new(responses, status, component_ref(w, "responses", name));
    }
}

/* ---- operations ---- */

/* "get_swap_status" as "getSwapStatus", or with a capital first. */
static char *camel(struct writer *w, const char *tool, bool capital)
{
    char *out = arena_alloc(w->arena, strlen(tool) + 1), *to = out;

    for (; *tool != '\0'; tool++) {
        if (*tool == '_') {
            capital = true;
            continue;
        }
        *to++ = (char)(capital ? toupper((unsigned char)*tool) : *tool);
        capital = false;
    }
    return out;
}

static json_t *accepted_response(struct writer *w, const struct schema *body)
{
    return json_pack("{s:s, s:{s:{s:o, s:o}}}", "description", body->about, "content", "application/json",
                     "schema", schema_ref(&w->shapes, body), "example", schema_example(body));
}

static json_t *success_response(struct writer *w, const struct endpoint *ep)
{
    json_t *o = json_pack("{s:s}", "description", ep->answer != NULL ? ep->answer->about : "Done");
    json_t *schema;

    if (ep->answer == NULL)
        return o;
    schema = schema_ref(&w->shapes, ep->answer);
    if (ep->or_answer != NULL)
        schema = json_pack("{s:[o, o]}", "anyOf", schema, schema_ref(&w->shapes, ep->or_answer));
    json_object_set_new(o, "content",
                        json_pack("{s:{s:o, s:o}}", "application/json", "schema", schema, "example",
                                  schema_example(ep->answer)));
    return o;
}

static json_t *responses_of(struct writer *w, const struct endpoint *ep)
{
    json_t *responses = json_object(), *by_status = errors_of(w, ep);

    json_object_set_new(responses, arena_printf(w->arena, "%d", ep->status), success_response(w, ep));
    if (ep->accepted != NULL)
        json_object_set_new(responses, "202", accepted_response(w, ep->accepted));
    add_error_responses(w, responses, by_status);
    json_decref(by_status);
    return responses;
}

static json_t *operation_json(struct writer *w, const struct endpoint *ep)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:[s]}", "operationId", camel(w, endpoint_operation(ep), false),
                          "summary", ep->summary, "description", ep->about, "tags", doc_tags[ep->tag].name);
    json_t *parameters = ep->params != NULL && ep->method == GET ? query_params(ep->params) : json_array();

    if (ep->path_param != NULL)
        json_array_insert_new(parameters, 0, path_param(w, ep->path_param));
    if (ep->flags & ONCE)
        json_array_append_new(parameters, idempotency_param());
    if (json_array_size(parameters) > 0)
        json_object_set_new(o, "parameters", parameters);
    else
        json_decref(parameters);
    if (ep->params != NULL && ep->method != GET)
        json_object_set_new(o, "requestBody", request_body(w, ep, camel(w, endpoint_operation(ep), true)));
    if (ep->auth == AUTH_NONE)
        json_object_set_new(o, "security",
                            ep->denied == NULL ? json_array() : json_pack("[{}, {s:[]}]", w->side->security));
    json_object_set_new(o, "responses", responses_of(w, ep));
    return o;
}

/* ---- parts ---- */

/* The next name of the list into `out`, cut off where no name of ours is so long; NULL: that was the last. */
static const char *name_next(char out[static NAME_MAX_LEN], const char *list)
{
    size_t len;

    list += strspn(list, ", ");
    len = strcspn(list, ",");
    (void)snprintf(out, NAME_MAX_LEN, "%.*s", (int)(len < NAME_MAX_LEN ? len : NAME_MAX_LEN - 1), list);
    for (char *blank = out; (blank = strchr(blank, ' ')) != NULL;)
        *blank = '_';
    return *list == '\0' ? NULL : list + len;
}

static bool tag_is(const struct doc_tag *tag, const char *name)
{
    char known[NAME_MAX_LEN];

    (void)name_next(known, tag->name);
    return names_alike(known, name);
}

/* Whether the list names the row: by its tag or, without `by_tag`, by its own name. */
static bool row_is_listed(const struct endpoint *ep, const char *list, bool by_tag)
{
    char name[NAME_MAX_LEN];

    while (list != NULL && (list = name_next(name, list)) != NULL)
        if (by_tag ? tag_is(&doc_tags[ep->tag], name) : names_alike(endpoint_operation(ep), name))
            return true;
    return false;
}

static bool part_has(const struct openapi_part *part, const struct endpoint *ep)
{
    return part == NULL || row_is_listed(ep, part->operations, false) || row_is_listed(ep, part->tags, true);
}

static bool all_are_known(const char *list, bool by_tag)
{
    char name[NAME_MAX_LEN];
    bool any = false;

    for (; (list = name_next(name, list)) != NULL; any = true) {
        const struct endpoint *const *ep = endpoints_all();

        while (*ep != NULL && !(endpoint_is_documented(*ep) && row_is_listed(*ep, name, by_tag)))
            ep++;
        if (*ep == NULL)
            return false;
    }
    return any;
}

bool openapi_knows_operations(const char *names)
{
    return all_are_known(names, false);
}

bool openapi_knows_tags(const char *names)
{
    return all_are_known(names, true);
}

static json_t *paths_json(struct writer *w)
{
    json_t *all = json_object();

    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        const char *path = ep->path + strlen(endpoint_prefix(w->of));

        if (endpoint_audience(ep) != w->of || !part_has(w->part, ep))
            continue;
        if (json_object_get(all, path) == NULL)
            json_object_set_new(all, path, json_object());
        json_object_set_new(json_object_get(all, path), endpoint_method_key(ep), operation_json(w, ep));
    }
    return all;
}

/* ---- webhooks ---- */

static json_t *webhook_headers(void)
{
    static const struct {
        const char *name, *about, *example;
    } rows[] = {
        { "webhook-id", "The event: the same for every attempt", "msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f" },
        { "webhook-timestamp", "Seconds since 1970 at this attempt; refuse what is five minutes off",
          "1767225600" },
        { "webhook-signature",
          "`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>` with the decoded secret; several are separated by a space while a secret is renewed",
          "v1,XJ2vpDfwygMdT0GofTCIg+dDCwdaSUQUNDz3MeTOtF0=" },
    };
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b, s:{s:s}, s:s}", "name", rows[i].name,
                                              "in", "header", "description", rows[i].about, "required", 1,
                                              "schema", "type", "string", "example", rows[i].example));
    return list;
}

static json_t *webhook_json(struct writer *w, const struct endpoint_event *e)
{
    return json_pack(
        "{s:{s:s, s:s, s:s, s:[s], s:[], s:o, s:{s:b, s:{s:{s:o, s:o}}}, s:{s:{s:s}, s:{s:s}}}}", "post",
        "operationId", e->operation_id, "summary", e->body->about, "description",
        "Sent to the agent's callback_url. Any 2xx acknowledges it; anything else is tried again for two days. It may arrive more than once: deduplicate by swap_id.",
        "tags", "Webhooks", "security", "parameters", webhook_headers(), "requestBody", "required", 1,
        "content", "application/json", "schema", schema_ref(&w->shapes, e->body), "example",
        schema_example(e->body), "responses", "2XX", "description", "Acknowledged", "4XX", "description",
        "Refused: it will be sent again");
}

static json_t *webhooks_json(struct writer *w)
{
    json_t *all = json_object();

    for (const struct endpoint_group *const *g = endpoint_groups; *g != NULL; g++)
        for (const struct endpoint_event *e = (*g)->events; e != NULL && e->type != NULL; e++)
            json_object_set_new(all, e->type, webhook_json(w, e));
    return all;
}

/* ---- the whole ---- */

static json_t *tags_json(const struct side *side)
{
    json_t *list = json_array();

    for (size_t i = side->first_tag; i < side->after_tags; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", doc_tags[i].name, "description", doc_tags[i].about));
    return list;
}

static json_t *info_json(const struct side *side, const char *base_url)
{
    return json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s, s:s}}", "title", side->title, "version",
                     GATEWAY_VERSION, "description", side->about, "contact", "name", "The gateway's operator",
                     "url", base_url, "license", "name", "The operator's terms of use", "url", base_url);
}

json_t *openapi_write(struct arena *a, const char *base_url, enum audience of,
                      const struct openapi_part *part)
{
    const struct side *side = &sides[of];
    struct writer w = {
        a, of, side, part, { a, "#/components/schemas", false, json_object() }, json_object()
    };
    json_t *document = json_pack("{s:s}", "openapi", "3.1.0");

    json_object_set_new(document, "info", info_json(side, base_url));
    json_object_set_new(document, "servers",
                        json_pack("[{s:s}]", "url", arena_printf(a, "%s%s", base_url, endpoint_prefix(of))));
    json_object_set_new(document, "tags", tags_json(side));
    json_object_set_new(document, "security", json_pack("[{s:[]}]", side->security));
    json_object_set_new(document, "paths", paths_json(&w));
    if (of == FOR_AGENTS && part == NULL)
        json_object_set_new(document, "webhooks", webhooks_json(&w));
    json_object_set_new(document, "components",
                        json_pack("{s:{s:{s:s, s:s, s:s}}, s:o, s:o}", "securitySchemes", side->security,
                                  "type", "http", "scheme", "bearer", "description", side->key_about,
                                  "responses", w.responses, "schemas", w.shapes.shapes));
    return document;
}
