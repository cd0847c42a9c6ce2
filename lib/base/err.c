#include "base/err.h"

#include <string.h>

#include "base/arena.h"
#include "base/safe_text.h"

#define X(name, status, rpc, code, text, hint)                                                               \
    const struct err E_##name = { status, rpc, code, text, hint, NULL, NULL, NULL, 0 };
ERR_LIST(X)
#undef X

/* Not printf: the format is data here, and "%s" is all that it may hold. */
static char *err_copy(struct arena *a, const char *format, const char *args[static 2])
{
    const char *hole = strstr(format, "%s");
    const char *second = hole == NULL ? NULL : strstr(hole + 2, "%s");

    if (hole == NULL)
        return arena_strdup(a, format);
    if (second == NULL)
        return arena_printf(a, "%.*s%s%s", (int)(hole - format), format, args[0], hole + 2);
    return arena_printf(a, "%.*s%s%.*s%s%s", (int)(hole - format), format, args[0], (int)(second - hole - 2),
                        hole + 2, args[1], second + 2);
}

const char *err_shown(struct arena *a, const char *text)
{
    if (text == NULL)
        return "";
    if (safe_text_has_secret(text))
        return SAFE_TEXT_SECRET;
    return safe_text_copy(a, text);
}

bool err_is(const struct err *e, const struct err *base)
{
    return e != NULL && (e == base || e->base == base);
}

static struct err *err_derive(struct arena *a, const struct err *e)
{
    struct err *copy = arena_memdup(a, e, sizeof *e);

    if (copy->base == NULL)
        copy->base = e;
    return copy;
}

const struct err *err_fmt(struct arena *a, const struct err *base, const char *arg1, const char *arg2)
{
    struct err *e = err_derive(a, base);
    const char *args[2] = { err_shown(a, arg1), err_shown(a, arg2) };

    e->text = err_copy(a, base->text, args);
    return e;
}

const struct err *err_on(struct arena *a, const struct err *base, const char *field)
{
    struct err *e = err_derive(a, base);

    e->field = field;
    return e;
}

const struct err *err_hint(struct arena *a, const struct err *base, const char *hint)
{
    struct err *e = err_derive(a, base);

    e->hint = hint;
    return e;
}

const struct err *err_wait(struct arena *a, const struct err *base, unsigned seconds, const char *hint)
{
    struct err *e = err_derive(a, base);

    e->hint = hint;
    e->wait_s = seconds;
    return e;
}

const struct err *err_both(struct arena *a, const struct err *first, const struct err *second)
{
    struct err *e;

    if (first == NULL || (second != NULL && first->status >= 500))
        return second != NULL ? second : first;
    if (second == NULL || second->status >= 500)
        return first;
    e = err_derive(a, first);
    e->also = err_both(a, first->also, second);
    return e;
}
