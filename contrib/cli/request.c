#include "contrib/cli/request.h"

#include <jansson.h>
#include <string.h>

#include "base/buf.h"
#include "codec/query_string.h"

enum { REQUEST_MAX = 1024 * 1024 };

/* A text as JSON; in the arena. */
static const char *quoted(struct arena *a, const char *text)
{
    json_t *string = json_string(text);
    char *out = string == NULL ? NULL : json_dumps(string, JSON_ENCODE_ANY);
    const char *kept = out == NULL ? NULL : arena_strdup(a, out);

    free(out);
    json_decref(string);
    return kept;
}

/* The value as it was given, if that is JSON of this type: a number keeps its digits. */
static const char *json_given(const char *value, bool (*is_type)(const json_t *v))
{
    json_t *v = json_loads(value, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    bool ok = v != NULL && is_type(v);

    json_decref(v);
    return ok ? value : NULL;
}

static bool is_number(const json_t *v)
{
    return json_is_number(v);
}

static bool is_flag(const json_t *v)
{
    return json_is_boolean(v);
}

static bool is_object(const json_t *v)
{
    return json_is_object(v);
}

static const char *list_json(struct arena *a, const char *value)
{
    struct buf out = BUF_INIT(REQUEST_MAX);
    const char *kept, *mark = "[";

    if (*value == '[')
        return value;
    for (const char *begin = value; *value != '\0'; begin = *value == ',' ? ++value : value) {
        const char *item;

        value = begin + strcspn(begin, ",");
        item = quoted(a, arena_strndup(a, begin, (size_t)(value - begin)));
        buf_addf(&out, "%s%s", mark, item != NULL ? item : "null");
        mark = ",";
    }
    buf_adds(&out, "]");
    kept = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return kept;
}

/* As JSON; NULL: it is none of the member's type. */
static const char *value_json(struct arena *a, const struct member *m, const char *value)
{
    switch (m->kind) {
    case MEMBER_NUMBER:
        return json_given(value, is_number);
    case MEMBER_FLAG:
        return json_given(*value == '\0' ? "true" : value, is_flag);
    case MEMBER_OBJECT:
        return json_given(value, is_object);
    case MEMBER_LIST:
        return list_json(a, value);
    case MEMBER_NULLABLE:
        return *value == '\0' ? "null" : quoted(a, value);
    case MEMBER_TEXT:
    case MEMBER_IN_PATH:
        break;
    }
    return quoted(a, value);
}

static const char *wanted(const struct member *m)
{
    return m->kind == MEMBER_NUMBER   ? "a number"
           : m->kind == MEMBER_FLAG   ? "true or false"
           : m->kind == MEMBER_OBJECT ? "a JSON object"
                                      : "a text in UTF-8";
}

static const struct given *given_find(const struct call *call, const struct member *m,
                                      const struct given *given, size_t count)
{
    for (const struct given *g = given; g < given + count; g++)
        if (call_member(call, g->name) == m)
            return g;
    return NULL;
}

/* The path with the value in place of its {…}. */
static const char *path_filled(struct arena *a, const char *path, const char *value)
{
    const char *begin = strchr(path, '{'), *end = begin == NULL ? NULL : strchr(begin, '}');

    return end == NULL
               ? path
               : arena_printf(a, "%.*s%s%s", (int)(begin - path), path, query_escape(a, value), end + 1);
}

const char *request_make(struct request *out, struct arena *a, const struct call *call,
                         const struct given *given, size_t count)
{
    bool queried = strcmp(call->method, "GET") == 0;
    struct buf body = BUF_INIT(REQUEST_MAX);
    const char *path = call->path, *query = "", *problem = NULL;

    for (const struct member *m = call->members; m->name != NULL && problem == NULL; m++) {
        const struct given *g = given_find(call, m, given, count);
        const char *json = g == NULL ? NULL : value_json(a, m, g->value);

        if (g == NULL && m->required)
            problem = arena_printf(a, "%s is missing", m->name);
        else if (g != NULL && json == NULL)
            problem = arena_printf(a, "%s must be %s", m->name, wanted(m));
        else if (g != NULL && m->kind == MEMBER_IN_PATH)
            path = path_filled(a, path, g->value);
        else if (g != NULL && queried)
            query = arena_printf(a, "%s%s%s=%s", query, *query == '\0' ? "?" : "&", m->name,
                                 query_escape(a, g->value));
        else if (g != NULL)
            buf_addf(&body, "%s\"%s\":%s", body.len == 0 ? "{" : ",", m->name, json);
    }
    *out = (struct request){ .call = call, .path = arena_printf(a, "%s%s", path, query) };
    if (body.len > 0 || strcmp(call->method, "POST") == 0 || strcmp(call->method, "PATCH") == 0)
        out->body = arena_printf(a, "%s}", body.len > 0 ? buf_text(&body) : "{");
    buf_free(&body);
    return problem;
}
