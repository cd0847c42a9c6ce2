#include "base/view.h"

#include "base/clock.h"

json_t *view_text(const char *s)
{
    return s != NULL ? json_string(s) : json_null();
}

json_t *view_time(int64_t ms)
{
    char text[ISO8601_LEN + 1];

    if (ms == 0)
        return json_null();
    clock_iso8601(text, ms);
    return json_string(text);
}

char *view_dump(struct arena *a, const json_t *v, size_t flags)
{
    size_t n = json_dumpb(v, NULL, 0, JSON_COMPACT | flags);
    char *text = arena_alloc(a, n + 1);

    json_dumpb(v, text, n, JSON_COMPACT | flags);
    text[n] = '\0';
    return text;
}
