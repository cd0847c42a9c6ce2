#include "api/admission/unknown_members.h"

#include <string.h>

#include "api/endpoint/endpoint.h"
#include "base/edit_distance.h"

/* Changing two letters of a name as short as "size" makes another word. */
enum { SHORT_NAME = 4 };

static bool tables_have(const struct param *const *tables, const char *name);

static bool table_has(const struct param *table, const char *name)
{
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, name) == 0 || tables_have(p->of, name))
            return true;
    return false;
}

static bool tables_have(const struct param *const *tables, const char *name)
{
    while (tables != NULL && *tables != NULL && !table_has(*tables, name))
        tables++;
    return tables != NULL && *tables != NULL;
}

/* A member of another operation is no typing error. Agents know none of the operator's. */
static bool any_operation_knows(const char *name)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_audience(*ep) != FOR_OPERATOR && table_has((*ep)->params, name))
            return true;
    return false;
}

static bool member_is_missing(const json_t *object, const struct param *p)
{
    const json_t *v = json_object_get(object, p->name);

    return v == NULL || (json_is_null(v) && p->kind != P_NULLABLE);
}

struct miss {
    const struct param *meant; /* NULL: none */
    unsigned distance;
};

/* The member that is known by this name elsewhere, where another operation may mean something else by it;
 * NULL: none. */
static const struct param *member_elsewhere(const struct param *known, const char *said)
{
    for (const struct param *p = known; p != NULL && p->name != NULL; p++)
        for (const char *const *name = p->elsewhere; name != NULL && *name != NULL; name++)
            if (edit_distance(said, *name) == 0)
                return p;
    return NULL;
}

static struct miss nearest_member(const struct param *known, const json_t *object, const char *said)
{
    struct miss best = { NULL, EDIT_DISTANCE_MAX + 1 };

    for (const struct param *p = known; p != NULL && p->name != NULL; p++) {
        unsigned distance = edit_distance(said, p->name);

        if (distance < best.distance && (distance <= 1 || strlen(p->name) > SHORT_NAME) &&
            member_is_missing(object, p))
            best = (struct miss){ p, distance };
    }
    return best;
}

/* With another spelling of a required member (fromToken) that member is missing, which has a wording of its
 * own.
 */
static void near_miss_refuse(const struct miss *m, const char *said, struct arena *a,
                             struct param_faults *faults)
{
    const char *name = m->meant->name, *hint = arena_printf(a, "did you mean '%s'?", name);
    const struct err *e = err_fmt(a, &E_UNKNOWN_FIELD, said, NULL);

    if (m->distance == 0 && (m->meant->required || m->meant->absent != NULL)) {
        e = m->meant->absent != NULL ? m->meant->absent : err_fmt(a, &E_REQUIRED, name, NULL);
        params_fault(faults, err_hint(a, e, hint), name, "is required");
    }
    params_fault(faults, err_hint(a, e, hint), said, hint);
}

void unknown_members_check(const struct param *known, const json_t *object, struct arena *a,
                           struct param_faults *faults)
{
    const char *said;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, said, value)
    {
        struct miss m = { NULL, 0 };

        if (table_has(known, said))
            continue;
        m.meant = member_elsewhere(known, said);
        if (m.meant == NULL && !any_operation_knows(said))
            m = nearest_member(known, object, said);
        if (m.meant != NULL)
            near_miss_refuse(&m, said, a, faults);
    }
}
