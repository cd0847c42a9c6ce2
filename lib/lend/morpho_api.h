/* Morpho's own catalogue: which markets there are, since when, and what it warns of. Pure: what is asked, and
 * how the answer is read. Nothing that it says of money is used. */
#ifndef LEND_MORPHO_API_H
#define LEND_MORPHO_API_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/chains.h"
#include "model/lend_listing.h"

enum { MORPHO_API_MARKETS = 100, MORPHO_API_BYTES = 1024 * 1024 };

/* The URL below the service's base, and the body of a POST to it: those that it lists on a chain, largest
 * supply first. */
char *morpho_api_url(struct arena *a, const char *base);
void morpho_api_ask(struct buf *out, const struct chain *c);

/* In the order of the answer, in the arena, at most MORPHO_API_MARKETS. Left out are those whose terms are
 * not what their id is a hash of, and those that call a token by the symbol of another one. False when the
 * answer is none. */
bool morpho_api_read(struct arena *a, const struct chain *c, const struct buf *answer,
                     struct lend_listing **out, size_t *count);

#endif
