#include "base/json_reader.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/json_plain.h"

enum {
    DEPTH_MAX = 2048, /* as Jansson has it */
    DIGITS_MAX = 18,  /* that always fit */
};

struct reader {
    const char *at, *end;
    unsigned depth;
    bool numbers_are_texts;
    const char *const *unwanted; /* names of members; NULL: none */
};

static json_t *read_value(struct reader *r);

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

/* Reads the sign if it comes next, after any space. */
static bool take(struct reader *r, char sign)
{
    skip_space(r);
    if (r->at == r->end || *r->at != sign)
        return false;
    r->at++;
    return true;
}

/* Reads a value that is not plain, up to its end `to`. */
static json_t *read_by_jansson(struct reader *r, const char *to)
{
    const char *from = r->at;
    json_t *value = json_loadb(from, (size_t)(to - from), JSON_DECODE_ANY, NULL);

    r->at = to;
    return value != NULL
               ? value
               : json_loadb(from, (size_t)(to - from), JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
}

/* ---- strings ---- */

/* Behind the quote that ends the string at r; NULL: none does. Where *plain, its bytes are what it says. */
static const char *string_end(const struct reader *r, bool *plain)
{
    const char *p = r->at + 1;

    p += json_plain_length(p, (size_t)(r->end - p));
    *plain = p < r->end && *p == '"';
    for (; p < r->end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < r->end)
            p++;
    return p < r->end ? p + 1 : NULL;
}

static json_t *read_string(struct reader *r)
{
    bool plain;
    const char *from = r->at + 1, *end = string_end(r, &plain);

    if (end == NULL)
        return NULL;
    if (!plain)
        return read_by_jansson(r, end);
    r->at = end;
    return json_stringn_nocheck(from, (size_t)(end - 1 - from));
}

/* ---- numbers and words ---- */

static bool ends_value(char c)
{
    return strchr(",]} \t\r\n", c) != NULL && c != '\0';
}

static bool whole_number(const char *from, const char *end, int64_t *out)
{
    bool minus = *from == '-';
    const char *digits = from + minus;

    *out = 0;
    if (end == digits || end - digits > DIGITS_MAX || (*digits == '0' && end - digits > 1))
        return false;
    for (const char *p = digits; p < end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        *out = *out * 10 + (*p - '0');
    }
    if (minus)
        *out = -*out;
    return true;
}

static json_t *read_number_text(struct reader *r)
{
    const char *from = r->at;

    while (r->at < r->end && json_is_number_char(*r->at))
        r->at++;
    return json_stringn_nocheck(from, (size_t)(r->at - from));
}

static json_t *read_bare(struct reader *r)
{
    const char *end = r->at;
    int64_t whole;

    if (r->numbers_are_texts && json_begins_number(*r->at))
        return read_number_text(r);
    while (end < r->end && !ends_value(*end))
        end++;
    if (!whole_number(r->at, end, &whole))
        return read_by_jansson(r, end);
    r->at = end;
    return json_integer(whole);
}

/* ---- arrays and objects ---- */

static bool read_items(struct reader *r, json_t *array)
{
    if (take(r, ']'))
        return true;
    do {
        json_t *item = read_value(r);

        if (item == NULL || json_array_append_new(array, item) != 0)
            return false;
    } while (take(r, ','));
    return take(r, ']');
}

/* Reads a member whose name is not plain: Jansson decodes it. */
static bool read_member_named(struct reader *r, json_t *object, const char *end)
{
    json_t *name = read_by_jansson(r, end), *value = NULL;
    bool set;

    if (name != NULL && take(r, ':'))
        value = read_value(r);
    set = value != NULL && json_object_set_new_nocheck(object, json_string_value(name), value) == 0;
    json_decref(name);
    return set;
}

/* ---- exclusions ---- */

static bool skip_string(struct reader *r)
{
    bool plain;
    const char *end = string_end(r, &plain);

    r->at = end == NULL ? r->at : end;
    return end != NULL;
}

static bool skip_value(struct reader *r)
{
    unsigned depth = 0;

    skip_space(r);
    do {
        if (r->at == r->end)
            return false;
        if (*r->at == '"') {
            if (!skip_string(r))
                return false;
            continue;
        }
        if (depth == 0 && ends_value(*r->at))
            return false;
        depth += *r->at == '{' || *r->at == '[';
        depth -= *r->at == '}' || *r->at == ']';
        r->at++;
    } while (depth > 0 || (r->at < r->end && !ends_value(*r->at)));
    return true;
}

static bool is_unwanted(const struct reader *r, const char *name, size_t n)
{
    const char *const *each = r->unwanted;

    while (each != NULL && *each != NULL && (strncmp(*each, name, n) != 0 || (*each)[n] != '\0'))
        each++;
    return each != NULL && *each != NULL;
}

static bool read_member(struct reader *r, json_t *object)
{
    const char *name, *end;
    json_t *value;
    bool plain;

    skip_space(r);
    if (r->at == r->end || *r->at != '"' || (end = string_end(r, &plain)) == NULL)
        return false;
    name = r->at + 1;
    if (!plain)
        return read_member_named(r, object, end);
    r->at = end;
    if (is_unwanted(r, name, (size_t)(end - 1 - name)))
        return take(r, ':') && skip_value(r);
    value = take(r, ':') ? read_value(r) : NULL;
    return value != NULL && json_object_setn_new_nocheck(object, name, (size_t)(end - 1 - name), value) == 0;
}

static bool read_members(struct reader *r, json_t *object)
{
    if (take(r, '}'))
        return true;
    do {
        if (!read_member(r, object))
            return false;
    } while (take(r, ','));
    return take(r, '}');
}

static json_t *read_nested(struct reader *r)
{
    bool object = *r->at++ == '{', read = false;
    json_t *value = object ? json_object() : json_array();

    if (value != NULL && ++r->depth <= DEPTH_MAX)
        read = object ? read_members(r, value) : read_items(r, value);
    r->depth--;
    if (read)
        return value;
    json_decref(value);
    return NULL;
}

static json_t *read_value(struct reader *r)
{
    skip_space(r);
    if (r->at == r->end)
        return NULL;
    switch (*r->at) {
    case '{':
    case '[':
        return read_nested(r);
    case '"':
        return read_string(r);
    default:
        return read_bare(r);
    }
}

static json_t *read_all(struct reader r)
{
    json_t *value;

    skip_space(&r);
    if (r.at == r.end || (*r.at != '{' && *r.at != '['))
        return NULL;
    value = read_nested(&r);
    skip_space(&r);
    if (value == NULL || r.at == r.end)
        return value;
    json_decref(value);
    return NULL;
}

json_t *json_read(const char *text, size_t n)
{
    return read_all((struct reader){ .at = text, .end = text + n });
}

json_t *json_read_texts(const char *text, size_t n)
{
    return json_read_texts_without(text, n, NULL);
}

json_t *json_read_texts_without(const char *text, size_t n, const char *const *names)
{
    return read_all(
        (struct reader){ .at = text, .end = text + n, .numbers_are_texts = true, .unwanted = names });
}

const char *json_text_member(struct arena *a, const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text == NULL ? NULL : arena_strdup(a, text);
}

static void release(void *value)
{
    json_decref(value);
}

json_t *json_in_arena(struct arena *a, json_t *value)
{
    if (value != NULL)
        arena_defer(a, release, value);
    return value;
}
