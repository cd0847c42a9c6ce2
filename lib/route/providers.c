#include <string.h>

#include "route/provider.h"
#include "route/uniswap.h"

const struct provider *const providers[] = { &uniswap, NULL };

const struct provider *provider_find(const char *key)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (strcmp((*p)->key, key) == 0)
            return *p;
    return NULL;
}
