#include "drift/shape.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

enum { NAME_MAX_LEN = 64 };

static unsigned type_of(const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_STRING:
        return SHAPE_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return SHAPE_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return SHAPE_FLAG;
    case JSON_OBJECT:
        return SHAPE_OBJECT;
    case JSON_ARRAY:
        return SHAPE_LIST;
    case JSON_NULL:
        break;
    }
    return SHAPE_NULL;
}

static const char *types_text(struct arena *a, unsigned types)
{
    static const char *const words[] = { "text", "number", "flag", "object", "list", "null" };
    const char *text = "";

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if ((types >> i & 1) != 0)
            text = arena_printf(a, "%s%s%s", text, *text == '\0' ? "" : " or ", words[i]);
    return text;
}

/* The values found at the places that a path names. */
struct found {
    bool any, bare; /* `bare`: a list on the way there is empty */
    unsigned odd;   /* a type that is not wanted, or 0 */
};

static void path_walk(const json_t *at, const char *path, unsigned types, struct found *f)
{
    char name[NAME_MAX_LEN + 1];
    size_t n = strcspn(path, ".["), i;
    const json_t *each;

    if (*path == '.') {
        path_walk(at, path + 1, types, f);
    } else if (*path == '\0') {
        f->any = true;
        if ((type_of(at) & types) == 0)
            f->odd = type_of(at);
    } else if (*path == '[') {
        f->bare = f->bare || (json_is_array(at) && json_array_size(at) == 0);
        json_array_foreach(at, i, each) path_walk(each, path + 2, types, f);
    } else if (n <= NAME_MAX_LEN) {
        memcpy(name, path, n);
        name[n] = '\0';
        each = json_object_get(at, name);
        if (each != NULL)
            path_walk(each, path + n, types, f);
    }
}

static const char *member_differs(struct arena *a, const json_t *doc, const struct shape_member *m)
{
    struct found f = { .any = false };

    path_walk(doc, m->path, m->types, &f);
    if (f.odd != 0)
        return arena_printf(a, "the member %s is a %s in place of a %s", m->path, types_text(a, f.odd),
                            types_text(a, m->types));
    return f.any || f.bare ? NULL : arena_printf(a, "the member %s is missing", m->path);
}

const char *shape_differs(struct arena *a, const struct shape_member *members, const char *text, size_t n)
{
    json_error_t why;
    json_t *doc = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    const char *said = NULL;

    if (doc == NULL && json_error_code(&why) == json_error_duplicate_key)
        return "a member stands twice in one object";
    if (doc == NULL)
        return "the answer is no JSON";
    for (const struct shape_member *m = members; m->path != NULL && said == NULL; m++)
        said = member_differs(a, doc, m);
    json_decref(doc);
    return said;
}
