#include "api/endpoint/toolsets.h"

#include <string.h>

static const char ALL[] = "all";

const char *const *toolsets_known(void)
{
    static const char *names[TOOLSETS + 2] = { ALL, TOOLSETS_DEFAULT };

    for (size_t i = 1; i < TOOLSETS; i++)
        names[i + 1] = doc_toolsets[i].name;
    return names;
}

/* Whether the list has the name. */
static bool list_has(const char *list, const char *name)
{
    size_t len, n = strlen(name);

    for (; *list != '\0'; list += len + (list[len] == ',')) {
        len = strcspn(list, ",");
        if (len == n && strncmp(list, name, n) == 0)
            return true;
    }
    return false;
}

static bool is_known(const char *name, size_t len)
{
    for (const char *const *known = toolsets_known(); *known != NULL; known++)
        if (strlen(*known) == len && strncmp(*known, name, len) == 0)
            return true;
    return false;
}

const char *toolsets_fault(const char *list, const void *env)
{
    size_t len = strcspn(list, ",");

    (void)env;
    while (is_known(list, len) && list[len] != '\0') {
        list += len + 1;
        len = strcspn(list, ",");
    }
    return is_known(list, len)
               ? NULL
               : "must be names with commas, of all, core, account, discovery, wallets, trade, predict, lend, perps, webhooks";
}

bool toolsets_have(const char *list, const struct endpoint *ep)
{
    return ep->tool != NULL &&
           (list_has(list, ALL) || ((ep->flags & CORE) != 0 && list_has(list, TOOLSETS_DEFAULT)) ||
            list_has(list, doc_toolsets[doc_tags[ep->tag].toolset].name));
}
