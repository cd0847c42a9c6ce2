#include "chain/explorer.h"

#include <stddef.h>

static const struct conf *settings;

void explorer_configure(const struct conf *c)
{
    settings = c;
}

const char *explorer_of(const struct chain *c)
{
    const char *own = settings == NULL ? NULL : conf_chain(settings, "explorer", c->key);

    if (own == NULL)
        return c->explorer_tx;
    return *own == '\0' ? NULL : own;
}
