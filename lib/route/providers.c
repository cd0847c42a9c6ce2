#include <string.h>

#include "route/across.h"
#include "route/jupiter.h"
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
    &wrap,    &uniswap, &kyberswap, &zerox,  &velora,  &odos, &openocean,
    &oneinch, &lifi,    &relay,     &across, &jupiter, NULL,
};

const struct provider *provider_find(const char *key)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (strcmp((*p)->key, key) == 0 || ((*p)->former_key != NULL && strcmp((*p)->former_key, key) == 0))
            return *p;
    return NULL;
}

const char *const *provider_keys(void)
{
    static const char *keys[sizeof providers / sizeof providers[0]];

    for (size_t i = 0; providers[i] != NULL; i++)
        keys[i] = providers[i]->key;
    return keys;
}

/* Their bits; *unknown is the first that is none, if there is one. */
static unsigned keys_bits(const char *const *keys, const char **unknown)
{
    unsigned bits = 0;

    for (; *keys != NULL; keys++) {
        unsigned place = 0;

        while (providers[place] != NULL && strcmp(providers[place]->key, *keys) != 0)
            place++;
        if (providers[place] != NULL)
            bits |= 1U << place;
        else if (*unknown == NULL)
            *unknown = *keys;
    }
    return bits;
}

const char *providers_choose(unsigned *unwanted, const char *const *wanted, const char *const *excluded)
{
    const char *unknown = NULL;

    *unwanted = wanted == NULL ? 0 : ~keys_bits(wanted, &unknown);
    if (excluded != NULL)
        *unwanted |= keys_bits(excluded, &unknown);
    return unknown;
}

const char *provider_name(const char *key)
{
    const struct provider *p = provider_find(key);

    return p == NULL ? key : p->name;
}
