#include <string.h>

#include "route/across.h"
#include "route/jupiter.h"
#include "route/kyberswap.h"
#include "route/lifi.h"
#include "route/oneinch.h"
#include "route/openocean.h"
#include "route/provider.h"
#include "route/relay.h"
#include "route/uniswap.h"
#include "route/velora.h"
#include "route/wrap.h"
#include "route/zerox.h"

const struct provider *const providers[] = {
    &wrap,    &uniswap, &kyberswap, &zerox,  &velora,  &openocean,
    &oneinch, &lifi,    &relay,     &across, &jupiter, NULL,
};

const struct provider_ended providers_ended[] = { { "odos", "Odos", "2026-07-30" }, { 0 } };

const struct provider_ended *provider_ended(const char *key)
{
    for (const struct provider_ended *e = providers_ended; e->key != NULL; e++)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}

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

/* Their bits; *unknown is the first that is none, if there is one. With `ended_too` those that ended are
 * known. */
static unsigned keys_bits(const char *const *keys, bool ended_too, const char **unknown)
{
    unsigned bits = 0;

    for (; *keys != NULL; keys++) {
        unsigned place = 0;

        while (providers[place] != NULL && strcmp(providers[place]->key, *keys) != 0)
            place++;
        if (providers[place] != NULL)
            bits |= 1U << place;
        else if (*unknown == NULL && !(ended_too && provider_ended(*keys) != NULL))
            *unknown = *keys;
    }
    return bits;
}

const char *providers_choose(unsigned *unwanted, const char *const *wanted, const char *const *excluded)
{
    const char *unknown = NULL;

    *unwanted = wanted == NULL ? 0 : ~keys_bits(wanted, false, &unknown);
    if (excluded != NULL)
        *unwanted |= keys_bits(excluded, true, &unknown);
    return unknown;
}

const char *provider_name(const char *key)
{
    const struct provider *p = provider_find(key);
    const struct provider_ended *e = provider_ended(key);

    return p != NULL ? p->name : e != NULL ? e->name : key;
}
