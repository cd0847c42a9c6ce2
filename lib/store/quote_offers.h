/* A quote's runners-up: kept in its own row, so that they cost no statement and go when it goes. */
#ifndef STORE_QUOTE_OFFERS_H
#define STORE_QUOTE_OFFERS_H

#include "base/arena.h"
#include "base/buf.h"
#include "model/quote.h"
#include "store/db.h"

/* Encodes the offers for the row. */
void quote_offers_encode(struct buf *out, const struct quote_offer *offers, unsigned n);

/* As they were added, payloads in the arena. Returns how many; 0 when the quote is unknown or another
 * agent's. */
int quote_offers_of(struct db *db, struct arena *a, const struct uuid *quote_id, uint64_t agent_id,
                    struct quote_offer out[static QUOTE_OFFERS_MAX]);

#endif
