#include "contrib/cli/calls.h"

#include "base/edit_distance.h"

const struct call calls[] = {
#include "contrib/cli/calls.inc"
};

const size_t calls_count = sizeof calls / sizeof calls[0];

const struct call *call_find(const char *tool)
{
    for (const struct call *c = calls; c < calls + calls_count; c++)
        if (names_alike(c->tool, tool))
            return c;
    return NULL;
}

const struct member *call_member(const struct call *c, const char *name)
{
    for (const struct member *m = c->members; m->name != NULL; m++)
        if (names_alike(m->name, name))
            return m;
    return NULL;
}

const char *call_near(const char *tool)
{
    for (const struct call *c = calls; c < calls + calls_count; c++)
        if (edit_distance(c->tool, tool) <= EDIT_DISTANCE_MAX)
            return c->tool;
    return NULL;
}

const char *call_member_near(const struct call *c, const char *name)
{
    for (const struct member *m = c->members; m->name != NULL; m++)
        if (edit_distance(m->name, name) <= EDIT_DISTANCE_MAX)
            return m->name;
    return NULL;
}
