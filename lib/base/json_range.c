#include "base/json_range.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_slice.h"

/* DBL_MAX, read back exactly: neither an integer nor within the bounds of any real that the API takes. */
static const char MARK[] = "1.7976931348623157e308";

enum { MARK_LEN = sizeof MARK - 1 };

static bool in_number(char c)
{
    return (c >= '0' && c <= '9') || (c != '\0' && strchr("+-.eE", c) != NULL);
}

/* Whether a number's literal, terminated, is in range. The parser refuses malformed ones later. */
static bool fits(const char *literal)
{
    char *end;

    errno = 0;
    if (strpbrk(literal, ".eE") != NULL)
        return fabs(strtod(literal, &end)) < HUGE_VAL;
    (void)strtoll(literal, &end, 10);
    return errno != ERANGE;
}

static size_t number_len(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && in_number(s[i]))
        i++;
    return i;
}

const char *json_range_mark(struct arena *a, const char *text, size_t n, size_t *len)
{
    struct buf out = BUF_INIT(n * MARK_LEN + 1);
    const char *copy;

    for (size_t i = 0, step; i < n; i += step) {
        bool number = in_number(text[i]);

        step = text[i] == '"' ? json_string_len(text + i, n - i) : number ? number_len(text + i, n - i) : 1;
        if (number && !fits(arena_strndup(a, text + i, step)))
            buf_adds(&out, MARK);
        else
            buf_add(&out, text + i, step);
    }
    *len = out.len;
    copy = arena_memdup(a, buf_text(&out), out.len + 1);
    buf_free(&out);
    return copy;
}

bool json_out_of_range(const json_t *v)
{
    const char *name;
    json_t *child;
    size_t i;

    if (json_is_real(v))
        return fabs(json_real_value(v)) >= DBL_MAX;
    json_array_foreach((json_t *)(uintptr_t)v, i, child)
    {
        if (json_out_of_range(child))
            return true;
    }
    json_object_foreach((json_t *)(uintptr_t)v, name, child)
    {
        if (json_out_of_range(child))
            return true;
    }
    return false;
}
