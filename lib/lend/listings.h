/* Takes over which markets of Morpho its catalogue lists. */
#ifndef LEND_LISTINGS_H
#define LEND_LISTINGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "service/ctx.h"

/* Those of one chain, once, as far as the chain itself confirms them; nothing where `lend_morpho_api` is not
 * set, Morpho or a node is missing, or the catalogue has no list. False when the database failed. */
bool lend_listings_refresh(const struct ctx *ctx, struct arena *a, const struct chain *c);

#endif
