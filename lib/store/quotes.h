/* Quotes: kept 60 seconds for use, longer so that the right message can be given. */
#ifndef STORE_QUOTES_H
#define STORE_QUOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/quote.h"
#include "store/db.h"

bool quotes_add(struct db *db, const struct quote *q);

/* The agent's own quote. */
enum found quotes_get(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out);

/* The same as it is when no execute has it in hand any more: waits for one that is under way. */
enum found quotes_get_free(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out);

/* Inside the execute transaction. 1 ours now; 0 expired, used or not ours; -1 the database failed. */
int quotes_take(struct db *db, const struct uuid *id, uint64_t agent_id);

/* The quote's runners-up, the best first; n is at most QUOTE_OFFERS_MAX. */
bool quote_offers_add(struct db *db, const struct uuid *quote_id, const struct quote_offer *offers,
                      unsigned n);
/* As they were added; payloads in the arena. Count, or -1. */
int quote_offers_of(struct db *db, struct arena *a, const struct uuid *quote_id,
                    struct quote_offer out[static QUOTE_OFFERS_MAX]);

/* Removes up to `max` quotes, and as many runners-up, that expired more than `keep_s` ago. Rows removed of
 * whichever were more, or -1. */
int64_t quotes_purge(struct db *db, uint64_t keep_s, uint64_t max);

#endif
