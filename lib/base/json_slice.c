#include "base/json_slice.h"

#include <string.h>

struct scan {
    const char *at, *end;
};

static bool scan_sees(const struct scan *s, const char *signs)
{
    return s->at < s->end && *s->at != '\0' && strchr(signs, *s->at) != NULL;
}

static void scan_space(struct scan *s)
{
    while (scan_sees(s, " \t\r\n"))
        s->at++;
}

static bool scan_take(struct scan *s, const char *sign)
{
    scan_space(s);
    if (!scan_sees(s, sign))
        return false;
    s->at++;
    return true;
}

/* Behind the opening quote; moves behind the closing one. */
static bool scan_string(struct scan *s)
{
    for (; s->at < s->end && *s->at != '"'; s->at++)
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
    return scan_take(s, "\"");
}

/* A word, a number or a string. */
static bool scan_scalar(struct scan *s)
{
    const char *from = s->at;

    if (scan_take(s, "\""))
        return scan_string(s);
    while (s->at < s->end && !scan_sees(s, " \t\r\n,:{}[]\""))
        s->at++;
    return s->at > from;
}

static bool scan_value(struct scan *s)
{
    size_t depth = 0;

    do {
        scan_space(s);
        if (scan_sees(s, "[{"))
            depth++;
        else if (depth > 0 && scan_sees(s, "]}"))
            depth--;
        else if (depth == 0 || !scan_sees(s, ",:")) {
            if (!scan_scalar(s))
                return false;
            continue;
        }
        s->at++;
    } while (depth > 0);
    return true;
}

static bool scan_name(struct scan *s, struct json_slice *name)
{
    if (!scan_take(s, "\""))
        return false;
    name->text = s->at;
    if (!scan_string(s))
        return false;
    name->len = (size_t)(s->at - 1 - name->text);
    return scan_take(s, ":");
}

bool json_slice_member(struct json_slice *out, struct json_slice in, const char *name)
{
    struct scan s = { in.text, in.text + in.len };
    struct json_slice key;
    bool found = false;

    if (!scan_take(&s, "{"))
        return false;
    do {
        const char *from;

        if (!scan_name(&s, &key))
            return false;
        scan_space(&s);
        from = s.at;
        if (!scan_value(&s))
            return false;
        if (key.len != strlen(name) || memcmp(key.text, name, key.len) != 0)
            continue;
        *out = (struct json_slice){ from, (size_t)(s.at - from) };
        found = true;
    } while (scan_take(&s, ","));
    return found && scan_take(&s, "}");
}

size_t json_string_len(const char *s, size_t n)
{
    size_t i = 1;

    while (i < n && s[i] != '"')
        i += s[i] == '\\' ? 2 : 1;
    return i < n ? i + 1 : n;
}
