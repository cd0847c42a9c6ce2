#include "codec/query_string.h"

#include <string.h>

#include "codec/hex.h"

static const char MALFORMED[] = "must be a well-formed query string";

char *query_unescape(struct arena *a, const char *s, size_t n, bool form)
{
    char *out = arena_alloc(a, n + 1), *to = out;

    for (size_t i = 0; i < n; i++, to++) {
        *to = form && s[i] == '+' ? ' ' : s[i];
        if (s[i] != '%')
            continue;
        if (n - i < 3 || !hex_decode((uint8_t *)to, 1, s + i + 1, 2) || *to == '\0')
            return NULL;
        i += 2;
    }
    *to = '\0';
    return out;
}

/* NULL, or what is wrong. */
static const char *query_pair(json_t *object, const char *s, size_t n, struct arena *a)
{
    const char *eq = memchr(s, '=', n);
    size_t name_len = eq == NULL ? n : (size_t)(eq - s);
    char *name = query_unescape(a, s, name_len, true);
    char *value = eq == NULL ? arena_strdup(a, "") : query_unescape(a, eq + 1, n - name_len - 1, true);
    const json_t *before;

    if (name == NULL || value == NULL)
        return MALFORMED;
    before = json_object_get(object, name);
    if (before != NULL)
        return strcmp(json_string_value(before), value) == 0 ? NULL : "must not have a name twice";
    return *name == '\0' || json_object_set_new(object, name, json_string(value)) == 0 ? NULL : MALFORMED;
}

json_t *query_parse(const char *query, struct arena *a, const char **what)
{
    json_t *object = json_object();

    for (*what = NULL; *what == NULL && *query != '\0'; query += *query == '&') {
        size_t n = strcspn(query, "&");

        *what = n == 0 ? NULL : query_pair(object, query, n, a);
        query += n;
    }
    if (*what == NULL)
        return object;
    json_decref(object);
    return NULL;
}

char *query_escape(struct arena *a, const char *text)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_alloc(a, 3 * strlen(text) + 1), *p = out;

    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (strchr(unreserved, c) != NULL) {
            *p++ = *text;
            continue;
        }
        *p++ = '%';
        *p++ = digits[c >> 4];
        *p++ = digits[c & 15];
    }
    return out;
}
