#include <string.h>

#include "route/kyberswap.h"
#include "route/lifi.h"
#include "route/odos.h"
#include "route/oneinch.h"
#include "route/openocean.h"
#include "route/provider.h"
#include "route/relay.h"
#include "route/uniswap.h"
#include "route/velora.h"
#include "route/wrap.h"
#include "route/zerox.h"

const struct provider *const providers[] = {
    &wrap, &uniswap, &kyberswap, &zerox, &velora, &odos, &openocean, &oneinch, &lifi, &relay, NULL,
};

const struct provider *provider_find(const char *key)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (strcmp((*p)->key, key) == 0)
            return *p;
    return NULL;
}

const char *provider_name(const char *key)
{
    const struct provider *p = provider_find(key);

    return p == NULL ? key : p->name;
}
