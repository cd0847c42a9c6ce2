#include "api/endpoint/compact.h"

#include <string.h>

#include "base/buf.h"
#include "base/log.h"

enum { SHAPES_MAX = 8, MEMBERS_MAX = 96, DEEP = 8 };

static const struct json_left_out nothing[] = { { .name = NULL } };

/* Shapes of one place: those of all answers that the row has. */
struct shapes {
    const struct schema *list[SHAPES_MAX];
    size_t count;
};

static void shapes_add(struct shapes *to, const struct schema *s)
{
    for (; s != NULL; s = s->base) {
        if (to->count == SHAPES_MAX)
            log_fatal("program_broken", "msg=\"more shapes of one answer than SHAPES_MAX\"");
        to->list[to->count++] = s;
    }
}

/* The marks that the member has in each shape that has it, and the shapes of its values. */
static unsigned member_marks(const struct shapes *of, const char *name, struct shapes *inside)
{
    unsigned marks = ~0U;

    *inside = (struct shapes){ .count = 0 };
    for (size_t i = 0; i < of->count; i++)
        for (const struct schema_field *f = of->list[i]->fields; f->name != NULL; f++)
            if (strcmp(f->name, name) == 0) {
                marks &= f->marks;
                shapes_add(inside, f->of);
            }
    return marks;
}

static bool is_listed(const struct json_left_out *list, size_t n, const char *name)
{
    while (n > 0 && strcmp(list[n - 1].name, name) != 0)
        n--;
    return n > 0;
}

static const struct json_left_out *left_out_of(struct arena *a, const struct shapes *of, unsigned depth);

/* An entry for a member that has something to leave out. */
static size_t entry_add(struct arena *a, const struct shapes *of, const struct schema_field *f,
                        unsigned depth, struct json_left_out *list, size_t n)
{
    struct shapes inside;
    unsigned marks = member_marks(of, f->name, &inside);
    const struct json_left_out *below =
        (marks & FULL_ONLY) != 0 || depth == DEEP ? nothing : left_out_of(a, &inside, depth + 1);

    if (f->kind == S_MAP && below != nothing) {
        struct json_left_out *any = ARENA_ARRAY(a, struct json_left_out, 2);

        any[0] = (struct json_left_out){ .name = "", .inside = below };
        below = any;
    }
    if ((marks & (FULL_ONLY | FULL_IF_NULL)) == 0 && below == nothing)
        return n;
    if (n == MEMBERS_MAX)
        log_fatal("program_broken", "msg=\"more members of one answer than MEMBERS_MAX\"");
    list[n] = (struct json_left_out){ .name = f->name,
                                      .always = (marks & FULL_ONLY) != 0,
                                      .null = (marks & FULL_IF_NULL) != 0,
                                      .inside = below == nothing ? NULL : below };
    return n + 1;
}

static const struct json_left_out *left_out_of(struct arena *a, const struct shapes *of, unsigned depth)
{
    struct json_left_out found[MEMBERS_MAX + 1], *kept;
    size_t n = 0;

    for (size_t i = 0; i < of->count; i++)
        for (const struct schema_field *f = of->list[i]->fields; f->name != NULL; f++)
            if (!is_listed(found, n, f->name))
                n = entry_add(a, of, f, depth, found, n);
    if (n == 0)
        return nothing;
    kept = ARENA_ARRAY(a, struct json_left_out, n + 1);
    memcpy(kept, found, n * sizeof found[0]);
    return kept;
}

const struct json_left_out *compact_left_out(const struct endpoint *ep)
{
    static const struct json_left_out *made[ENDPOINTS_MAX];
    static struct arena *kept; /* to the end of the process */
    const struct endpoint *const *all = endpoints_all();
    size_t i = 0;

    while (all[i] != NULL && strcmp(all[i]->path, ep->path) != 0)
        i++;
    while (all[i] != NULL && (all[i]->method != ep->method || strcmp(all[i]->path, ep->path) != 0))
        i++;
    if (all[i] == NULL)
        return nothing;
    if (made[i] == NULL) {
        struct shapes of = { .count = 0 };

        if (kept == NULL)
            kept = arena_new();
        shapes_add(&of, ep->answer);
        shapes_add(&of, ep->or_answer);
        shapes_add(&of, ep->accepted);
        made[i] = left_out_of(kept, &of, 0);
    }
    return made[i];
}

const struct json_left_out *compact_left_out_of(struct arena *a, const struct endpoint *ep,
                                                const json_t *answer)
{
    const struct endpoint *of = ep->result_of == NULL ? NULL : ep->result_of(answer);
    struct json_left_out *list;

    if (of == NULL)
        return compact_left_out(ep);
    list = ARENA_ARRAY(a, struct json_left_out, 2);
    list[0] = (struct json_left_out){ .name = "result", .inside = compact_left_out(of) };
    return list;
}

json_t *compact_value(struct arena *a, const struct endpoint *ep, const json_t *answer)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jw_make_tree(&w);
    jw_leave_out(&w, compact_left_out_of(a, ep, answer));
    jw_value(&w, NULL, answer);
    return jw_tree(&w);
}
