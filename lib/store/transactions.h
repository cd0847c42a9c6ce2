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

bool transactions_add(struct db *db, struct transaction *t); /* sets its id and state */

/* The amounts that the wallet's unsettled transactions on the chain may still spend beyond its balances at
 * block `seen`. Of several with one nonce the most expensive counts. */
struct reservation {
    struct u256 native; /* value + gas limit * max fee */
    struct u256 token;  /* of the token asked for */
};
static inline bool reservation_is_none(const struct reservation *r)
{
    return u256_is_zero(r->native) && u256_is_zero(r->token);
}
/* Unsettled, and no block is recorded for it; nodes may name one already. */
struct unplaced {
    uint64_t id;
    struct tx_hash hash;
    uint64_t block; /* that they name; 0: none */
};
struct unplaced_list {
    struct unplaced *list;
    unsigned count;
};
/* `placed` says more of blocks than is recorded. */
bool transactions_reserved(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t seen,
                           const struct address_bytes *token, const struct unplaced_list *placed,
                           struct reservation *out);

/* ---- reading ---- */

/* The first of the wallet's on the chain, UNPLACED_MAX at most. False: the database failed. */
enum { UNPLACED_MAX = 32 };
bool transactions_unplaced(struct db *db, struct arena *a, uint64_t wallet_id, uint64_t chain_id,
                           struct unplaced_list *out);
/* Transactions of one execution, by leg, nonce and order of signing. Returns how many. */
int transactions_of(struct db *db, struct arena *a, uint64_t execution_id, struct transaction **out);
/* Transactions of up to EXECUTIONS_AT_ONCE executions, by execution, leg, nonce and order of signing. Returns
 * how many. */
int transactions_of_all(struct db *db, struct arena *a, const uint64_t *execution_ids, size_t n,
                        struct transaction **out);
/* Tokens that the wallet let others take on the chain by the last of its transactions there that have
 * settled, newest first, each once. Returns how many of at most `max`. */
int transactions_allowed(struct db *db, uint64_t wallet_id, uint64_t chain_id, struct address_bytes *out,
                         unsigned max);
/* Transactions of all executions that the owner has claimed, by execution, leg, nonce and order of signing.
 * Returns how many. */
int transactions_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct transaction **out);

/* ---- following ---- */

bool transactions_broadcast(struct db *db, const struct broadcast *o);
/* It is in this block; 0: in none any more. */
bool transactions_in_block(struct db *db, uint64_t id, uint64_t block, bool succeeded);
/* The transaction has its nonce for good, in this block: it becomes settled, and all others with the nonce
 * become lost, even if one of them was settled before. */
bool transactions_settled(struct db *db, const struct transaction *winner, uint64_t block, bool succeeded);
/* Whether we have ever signed a transaction with the nonce. */
enum lookup transactions_nonce_known(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);
/* An execution of which a transaction with the nonce has settled, or was lost to another one. */
enum lookup transactions_nonce_settled(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce,
                                       uint64_t *execution_id, uint64_t *block);
/* Opens the execution's settled and lost transactions again: any of them may be in a block yet. */
bool transactions_open_again(struct db *db, uint64_t execution_id);
/* Whether a transaction that has not settled, of another execution of the wallet, allows or spends the token
 * by the same spender. */
enum lookup transactions_rely(struct db *db, uint64_t execution_id, uint64_t wallet_id, uint64_t chain_id,
                              const struct address_bytes *token, const struct address_bytes *spender);
/* Whether a wallet of ours has signed it. */
enum lookup transactions_hash_known(struct db *db, const struct tx_hash *hash);
/* It is in no block, and never will be. */
bool transactions_lost(struct db *db, uint64_t id);
/* A transaction that is not ours has the nonce for good. */
bool transactions_nonce_lost(struct db *db, uint64_t wallet_id, uint64_t chain_id, uint64_t nonce);

#endif
