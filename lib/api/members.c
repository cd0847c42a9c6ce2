#include "api/members.h"

#include <string.h>

#include "api/endpoints.h"
#include "core/edit_distance.h"

/* Two letters of a name as short as "size" make another word of it. */
enum { SHORT_NAME = 4 };

static bool is_in(const struct param *table, const char *name)
{
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, name) == 0 || is_in(p->of, name))
            return true;
    return false;
}

/* A call may get what belongs to another one. */
static bool any_call_knows(const char *name)
{
    for (size_t i = 0; i < endpoints_count; i++)
        if (is_in(endpoints[i].params, name))
            return true;
    return false;
}

static bool lacks(const json_t *object, const struct param *p)
{
    const json_t *v = json_object_get(object, p->name);

    return v == NULL || (json_is_null(v) && p->kind != P_NULLABLE);
}

/* The member that was meant, or NULL. */
static const char *nearest(const struct param *known, const json_t *object, const char *said)
{
    unsigned best = EDIT_DISTANCE_MAX + 1;
    const char *found = NULL;

    for (const struct param *p = known; p != NULL && p->name != NULL; p++) {
        unsigned distance = edit_distance(said, p->name);

        if (distance >= best || (distance > 1 && strlen(p->name) <= SHORT_NAME) || !lacks(object, p))
            continue;
        best = distance;
        found = p->name;
    }
    return found;
}

void members_check(const struct param *known, const json_t *object, struct arena *a,
                   struct param_faults *faults)
{
    const char *said, *meant;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, said, value)
    {
        const char *hint;

        if (is_in(known, said) || (meant = nearest(known, object, said)) == NULL || any_call_knows(said))
            continue;
        hint = arena_printf(a, "did you mean '%s'?", meant);
        params_fault(faults, err_hint(a, err_fmt(a, &E_UNKNOWN_FIELD, said, NULL), hint), said, hint);
    }
}
