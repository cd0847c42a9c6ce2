/* Nonces of keys that sign for venues which want them to grow: one row for each key. */
#ifndef STORE_SIGNING_NONCES_H
#define STORE_SIGNING_NONCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/db.h"

/* The milliseconds since 1970 by the database's clock, or one more than the key's last one, whichever is
 * more. No process on any host gets it a second time; if the transaction around it is rolled back, it was
 * never given out. */
bool signing_nonces_next(struct db *db, const uint8_t *signing_key, size_t len, uint64_t *nonce);

#endif
