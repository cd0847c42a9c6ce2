#include "api/view.h"

#include "core/clock.h"

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

json_t *view_pagination(uint64_t total, const struct page *p, uint64_t shown)
{
    return json_pack("{s:I, s:I, s:I, s:b}", "total", (json_int_t)total, "limit", (json_int_t)p->limit,
                     "offset", (json_int_t)p->offset, "has_more", p->offset + shown < total);
}
