#include "chain/explorer.h"

#include "base/log.h"

static const char **settings; /* of each chain; NULL: it has none */

void explorer_configure(const struct conf *c)
{
    if (settings == NULL)
        settings = calloc(chains_count, sizeof *settings);
    if (settings == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    for (size_t i = 0; i < chains_count; i++)
        settings[i] = conf_chain(c, "explorer", chains[i].key);
}

const char *explorer_of(const struct chain *c)
{
    const char *own = settings == NULL ? NULL : settings[c - chains];

    if (own == NULL)
        return c->explorer_tx;
    return *own == '\0' ? NULL : own;
}
