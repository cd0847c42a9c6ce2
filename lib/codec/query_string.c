#include "codec/query_string.h"

#include <string.h>

#include "codec/hex.h"

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

static bool query_pair(json_t *object, const char *s, size_t n, struct arena *a)
{
    const char *eq = memchr(s, '=', n);
    size_t name_len = eq == NULL ? n : (size_t)(eq - s);
    char *name = query_unescape(a, s, name_len, true);
    char *value = eq == NULL ? arena_strdup(a, "") : query_unescape(a, eq + 1, n - name_len - 1, true);

    if (name == NULL || value == NULL)
        return false;
    if (*name == '\0' || json_object_get(object, name) != NULL)
        return true;
    return json_object_set_new(object, name, json_string(value)) == 0;
}

json_t *query_parse(const char *query, struct arena *a)
{
    json_t *object = json_object();
    bool ok = true;

    while (ok && *query != '\0') {
        size_t n = strcspn(query, "&");

        ok = n == 0 || query_pair(object, query, n, a);
        query += n;
        query += *query == '&';
    }
    if (ok)
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
