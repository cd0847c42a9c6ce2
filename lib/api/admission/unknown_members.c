#include "api/admission/unknown_members.h"

#include <string.h>

#include "api/admission/foreign_names.h"
#include "base/edit_distance.h"

enum {
    SHORT_NAME = 4,     /* changing two letters of a name as short as "size" makes another word */
    COMPARED_MAX = 256, /* a request with more unknown members is told of the others without a suggestion */
};

static const char NOT_KNOWN[] = "is not known here";

/* ---- the members of a call ---- */

static const struct param *param_named(const struct param *const *tables, const char *name)
{
    for (; *tables != NULL; tables++)
        for (const struct param *p = *tables; p->name != NULL; p++)
            if (strcmp(p->name, name) == 0)
                return p;
    return NULL;
}

static bool member_is_missing(const json_t *object, const struct param *p)
{
    const json_t *v = json_object_get(object, p->name);

    return v == NULL || (json_is_null(v) && p->kind != P_NULLABLE);
}

const char *unknown_members_hint(struct arena *a, const struct param *const *tables)
{
    const char *list = "";

    for (const struct param *const *t = tables; *t != NULL; t++)
        for (const struct param *p = *t; p->name != NULL; p++)
            list = arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", p->name);
    return *list == '\0' ? "This call takes no members" : arena_printf(a, "Known here: %s", list);
}

/* ---- meanings of names ---- */

struct meaning {
    const struct param *meant; /* NULL: none */
    const char *advice;        /* instead; or NULL */
};

static bool list_has(const char *const *names, const char *said)
{
    while (*names != NULL && !names_alike(*names, said))
        names++;
    return *names != NULL;
}

static const struct param *first_missing(const struct param *const *known, const json_t *object,
                                         const char *const *names)
{
    for (; *names != NULL; names++) {
        const struct param *p = param_named(known, *names);

        if (p != NULL && member_is_missing(object, p))
            return p;
    }
    return NULL;
}

static const struct param *first_known(const struct param *const *known, const char *const *names)
{
    const struct param *p = NULL;

    for (; p == NULL && *names != NULL; names++)
        p = param_named(known, *names);
    return p;
}

/* The member that a foreign name means here; if that member is given already, the advice names it. */
static struct meaning foreign_meaning(const struct param *const *known, const json_t *object,
                                      const char *said, struct arena *a)
{
    const struct param *given;
    struct meaning m = { NULL, NULL };

    for (const struct foreign_name *f = foreign_names; m.meant == NULL && f->ours != NULL; f++) {
        if (!list_has(f->theirs, said) && (f->advice == NULL || !list_has(f->ours, said)))
            continue;
        m.meant = first_missing(known, object, f->ours);
        given = f->advice == NULL ? NULL : first_known(known, f->ours);
        if (m.meant == NULL && m.advice == NULL)
            m.advice = given == NULL ? f->advice : arena_printf(a, "is said by '%s' here", given->name);
    }
    return m;
}

/* By its letters. */
static const struct param *nearest_member(const struct param *const *known, const json_t *object,
                                          const char *said, unsigned at_most)
{
    const struct param *best = NULL;
    unsigned least = at_most + 1;

    for (; *known != NULL; known++)
        for (const struct param *p = *known; p->name != NULL; p++) {
            unsigned distance = member_is_missing(object, p) ? edit_distance(said, p->name) : least;

            if (distance < least && (distance <= 1 || strlen(p->name) > SHORT_NAME)) {
                best = p;
                least = distance;
            }
        }
    return best;
}

/* "price" of "limit_price_usd": the longest that there is. */
static const struct param *member_within(const struct param *const *known, const json_t *object,
                                         const char *said)
{
    const struct param *best = NULL;

    for (; *known != NULL; known++)
        for (const struct param *p = *known; p->name != NULL; p++)
            if (strlen(p->name) >= SHORT_NAME && name_contains(said, p->name) &&
                member_is_missing(object, p) && (best == NULL || strlen(p->name) > strlen(best->name)))
                best = p;
    return best;
}

/* A table of names knows better than letters do, unless these are the same. */
static struct meaning name_meaning(const struct param *const *known, const json_t *object, const char *said,
                                   struct arena *a)
{
    struct meaning m = { nearest_member(known, object, said, 0), NULL };

    if (m.meant == NULL)
        m = foreign_meaning(known, object, said, a);
    if (m.meant == NULL && m.advice == NULL)
        m.meant = nearest_member(known, object, said, EDIT_DISTANCE_MAX);
    if (m.meant == NULL && m.advice == NULL)
        m.meant = member_within(known, object, said);
    return m;
}

/* ---- refusing ---- */

struct check {
    const struct param *const *known; /* of the object that is looked at */
    const json_t *object;
    const char *path; /* what stands before the names of its members: "params." */
    enum unknown_kind kind;
    struct arena *arena;
    struct param_faults *faults;
    unsigned compared; /* members so far */
};

static void member_refuse(struct check *c, const char *said, const struct meaning *m)
{
    struct arena *a = c->arena;
    const char *shown = arena_printf(a, "%s%s", c->path, err_shown(a, said)), *what = NOT_KNOWN,
               *hint = unknown_members_hint(a, c->known);
    const struct err *e = *c->path == '\0' ? err_fmt(a, &E_UNKNOWN_FIELD, shown, NULL) : &E_VALIDATION;

    if (m->meant != NULL) {
        what = arena_printf(a, "did you mean '%s'?", m->meant->name);
        hint = arena_printf(a, "%s %s", what, hint);
    } else if (m->advice != NULL) {
        what = m->advice;
        hint = arena_printf(a, "%s. %s", what, hint);
    }
    /* With another spelling of a required member (fromToken) that member is missing, which has a wording of
     * its own. */
    if (m->meant != NULL && names_alike(m->meant->name, said) &&
        (m->meant->required || m->meant->absent != NULL)) {
        const char *missing = arena_printf(a, "%s%s", c->path, m->meant->name);

        e = m->meant->absent != NULL ? m->meant->absent : err_fmt(a, &E_REQUIRED, missing, NULL);
        params_fault(c->faults, err_hint(a, e, hint), missing, "is required");
    }
    params_fault(c->faults, err_hint(a, e, hint), shown, what);
}

static void unknown_check(struct check *c, const char *said)
{
    struct meaning m = { NULL, NULL };

    if (c->compared++ < COMPARED_MAX)
        m = name_meaning(c->known, c->object, said, c->arena);
    if ((m.meant != NULL || m.advice != NULL) == (c->kind == UNKNOWN_NEAR))
        member_refuse(c, said, &m);
}

static void object_check(struct check *c)
{
    const char *said;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)c->object, said, value)
    {
        const struct param *p = param_named(c->known, said);

        if (p == NULL) {
            unknown_check(c, said);
        } else if (p->of != NULL && json_is_object(value)) {
            struct check within = *c;

            within.known = p->of;
            within.object = value;
            within.path = arena_printf(c->arena, "%s%s.", c->path, said);
            object_check(&within);
            c->compared = within.compared;
        }
    }
}

void unknown_members_check(const struct param *const *known, const json_t *object, enum unknown_kind kind,
                           struct arena *a, struct param_faults *faults)
{
    struct check c = { known, object, "", kind, a, faults, 0 };

    object_check(&c);
}

json_t *unknown_members_list(const struct param *const *known, const json_t *object, struct arena *a)
{
    json_t *list = json_array(), *value;
    const char *said;

    json_object_foreach((json_t *)(uintptr_t)object, said, value)
    {
        if (param_named(known, said) == NULL)
            json_array_append_new(list, json_string(err_shown(a, said)));
    }
    return list;
}

void unknown_query_refuse(const struct param *const *known, const char *name, struct arena *a,
                          struct param_faults *faults)
{
    const char *shown = err_shown(a, name);
    const struct err *e = err_fmt(a, &E_UNKNOWN_FIELD, shown, NULL);
    bool is_member = param_named(known, name) != NULL;

    params_fault(faults,
                 err_hint(a, e,
                          arena_printf(a, "This call reads no query string, only its body. %s",
                                       unknown_members_hint(a, known))),
                 shown, is_member ? "belongs in the body" : NOT_KNOWN);
}
