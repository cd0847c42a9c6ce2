#include "api/endpoint/phrase.h"

#include <string.h>

const char *phrase_text(const json_t *object, const char *member)
{
    const char *s = json_string_value(json_object_get(object, member));

    return s != NULL ? s : "";
}

const char *phrase_on_chain(struct arena *a, const char *key)
{
    return *key == '\0' ? "" : arena_printf(a, " on %s", key);
}

const char *phrase_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

const char *phrase_list(struct arena *a, const json_t *list, phrase_item_fn *say, size_t max)
{
    const char *out = "";
    size_t n = json_array_size(list);

    for (size_t i = 0; i < n && i < max; i++)
        out = arena_printf(a, "%s%s%s", out, i > 0 ? ", " : "", say(a, json_array_get(list, i)));
    return n <= max ? out : arena_printf(a, "%s and %zu more", out, n - max);
}

const char *phrase_page(struct arena *a, const json_t *body, const char *member, const char *what,
                        phrase_item_fn *say)
{
    const json_t *list = json_object_get(body, member);
    long long total = json_integer_value(json_object_get(json_object_get(body, "pagination"), "total"));

    if (json_array_size(list) == 0)
        return arena_printf(a, "There are no such %ss", what);
    return arena_printf(a, "%lld %s%s: %s", total, what, phrase_plural((size_t)total),
                        phrase_list(a, list, say, PHRASE_ITEMS_MAX));
}

static const char *name_phrase(struct arena *a, const json_t *item)
{
    (void)a;
    return json_string_value(item);
}

const char *phrase_besides(struct arena *a, const json_t *names, const char *after)
{
    if (json_array_size(names) == 0)
        return "";
    return arena_printf(a, "; %s %s", phrase_list(a, names, name_phrase, PHRASE_ITEMS_MAX), after);
}

const char *phrase_failed_check(const json_t *body)
{
    const json_t *check;
    size_t i;

    json_array_foreach(json_object_get(body, "checks"), i, check)
    {
        if (strcmp(phrase_text(check, "status"), "fail") == 0)
            return phrase_text(check, "detail");
    }
    return "";
}
