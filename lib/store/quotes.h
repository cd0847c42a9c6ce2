/* Quotes: valid for 60 seconds, and kept longer so that the right message can be given. */
#ifndef STORE_QUOTES_H
#define STORE_QUOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/quote.h"
#include "store/db.h"

/* With its runners-up (quote_offers.h). */
bool quotes_add(struct db *db, const struct quote *q);

/* The agent's own quote. */
enum lookup quotes_get(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out);

/* The same once no execute holds it: waits for one that is in progress. */
enum lookup quotes_get_free(struct db *db, const struct uuid *id, uint64_t agent_id, struct quote *out);

/* Inside the execute transaction: uses the quote. UNCHANGED if it is expired, used, or not the agent's. */
enum db_update quotes_take(struct db *db, const struct uuid *id, uint64_t agent_id);

/* Ends all present quotes: none of them can be taken any more. */
bool quotes_end(struct db *db);

/* Removes up to `max` quotes that expired more than `keep_s` ago. Returns how many. */
int64_t quotes_purge(struct db *db, uint64_t keep_s, uint64_t max);

#endif
