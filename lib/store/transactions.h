/* Signed transactions of executions. */
#ifndef STORE_TRANSACTIONS_H
#define STORE_TRANSACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "store/db.h"

/* ---- inside the execute transaction ---- */

bool transactions_add(struct db *db, struct transaction *t); /* sets t->id */

/* What unsettled transactions of the wallet on the chain may still take out of it beyond what its balances at
 * block `seen` show: of one nonce the dearest counts. */
struct reservation {
    struct u256 native; /* value + gas limit * max fee */
    struct u256 token;  /* of the token asked for */
};
bool transactions_reserved(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                           const uint8_t token[static 20], struct reservation *out);

/* ---- reading ---- */

/* Its transactions in nonce order, then in the order of signing. Count, or -1. */
int transactions_of(struct db *db, struct arena *a, uint64_t execution_id, struct transaction **out);
/* The transactions of all of them, by swap, nonce and order of signing. Count, or -1. */
int transactions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct transaction **out);

/* ---- following ---- */

struct broadcast {
    uint64_t id;
    enum broadcast_result said;
};
bool transactions_broadcast(struct db *db, const struct broadcast *o);
/* In a block (block 0: not any more). */
bool transactions_in_block(struct db *db, uint64_t id, uint64_t block, bool succeeded);
/* The transaction has won its nonce for good, in this block: it is settled, all others with the nonce are
 * lost, whatever was settled before. */
bool transactions_settled(struct db *db, const struct transaction *winner, uint64_t block, bool succeeded);
/* Whether any transaction of ours has the nonce. */
enum found transactions_nonce_known(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);
/* Somebody else's transaction took the nonce for good. */
bool transactions_nonce_lost(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);

#endif
