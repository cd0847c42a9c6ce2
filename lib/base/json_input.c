#include "base/json_input.h"

#include <string.h>

enum { DEPTH_MAX = 32 };

/* The end of the string that opens at s[i]: its closing quote, or n. */
static size_t string_end(const char *s, size_t n, size_t i)
{
    for (i++; i < n && s[i] != '"'; i++)
        i += s[i] == '\\';
    return i;
}

bool json_input_too_deep(const char *s, size_t n)
{
    int depth = 0;

    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"')
            i = string_end(s, n, i);
        else if (s[i] == '{' || s[i] == '[')
            depth++;
        else if (s[i] == '}' || s[i] == ']')
            depth--;
        if (depth > DEPTH_MAX)
            return true;
    }
    return false;
}

json_t *json_input_parse(const char *text, size_t n, json_error_t *error)
{
    return json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error);
}

json_t *json_input_value(const char *text)
{
    size_t n = strlen(text);

    return json_input_too_deep(text, n) ? NULL : json_input_parse(text, n, NULL);
}
