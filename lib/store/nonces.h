/* Nonces that the chain counts as used while no receipt of ours says by what: how far the search for the
 * transaction has come. */
#ifndef STORE_NONCES_H
#define STORE_NONCES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

struct taken_nonce {
    uint64_t wallet_id, chain_id, nonce;
    uint64_t top;   /* the block where the search began, to go downwards */
    uint64_t span;  /* blocks to search before it starts over */
    uint64_t block; /* the next one to look into, or where it was found */
    bool found;
    uint8_t hash[32]; /* then: of the transaction that has the nonce */
};

/* Fills the rest of a nonce's row. */
enum lookup nonces_taken_get(struct db *db, struct taken_nonce *n);
bool nonces_taken_put(struct db *db, const struct taken_nonce *n); /* in place of what was there */
/* Those from `first` to `last` are settled. */
bool nonces_taken_end(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t first, uint64_t last);

#endif
