/* Markets of Morpho that its catalogue lists. */
#ifndef STORE_LEND_LISTINGS_H
#define STORE_LEND_LISTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/lend_listing.h"
#include "store/db.h"

/* Those of a chain in the order of the catalogue, at most `most`. Returns how many. */
int lend_listings_of(struct db *db, struct arena *a, uint64_t chain_id, unsigned most,
                     struct lend_listing *out);
/* Inside a transaction that replaces them all. */
bool lend_listings_clear(struct db *db, uint64_t chain_id);
bool lend_listings_add(struct db *db, uint64_t chain_id, unsigned place, const struct lend_listing *l);

#endif
