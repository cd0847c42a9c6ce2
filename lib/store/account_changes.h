/* Changes of accounts on chains by our own transactions, and by those that paid for them. A node may be
 * behind the block of a change, which is then added to the node's balances. Rows are kept for an hour. */
#ifndef STORE_ACCOUNT_CHANGES_H
#define STORE_ACCOUNT_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/u256.h"
#include "model/execution.h"
#include "store/db.h"

enum { ACCOUNT_TOKENS_MAX = 12 };

struct token_change {
    char token[TOKEN_ADDR_MAX]; /* "": the chain's coin */
    struct u256 left, came;
};

/* By one transaction. */
struct account_change {
    uint64_t execution_id;
    uint64_t transaction_id; /* of ours; 0: it is the one that paid for the execution */
    uint64_t chain_id;
    const char *address;
    uint64_t block;
    bool known; /* by how much: */
    struct token_change tokens[ACCOUNT_TOKENS_MAX];
    unsigned count;
};

/* Inside the transaction that records the block. */
bool account_changes_put(struct db *db, struct arena *a, const struct account_change *c);
/* None of the execution's is in a block any more. */
bool account_changes_remove(struct db *db, uint64_t execution_id);

/* The newest block of each chain in which something of the account has changed, at most `max` of them.
 * Returns how many. */
struct account_block {
    uint64_t chain_id, block;
};
int account_changes_newest(struct db *db, const char *address, struct account_block *out, unsigned max);
/* The changes above a block, in that order. Returns how many. */
int account_changes_above(struct db *db, struct arena *a, const char *address, uint64_t chain_id,
                          uint64_t block, struct account_change **out);

/* Transfers of prediction money that are completed and whose changes of the account are kept: for each of
 * their transactions on the chain and each of their requests at the venue a row, by execution. Returns how
 * many. */
struct transfer_row {
    uint64_t execution_id;
    enum exec_kind_id kind;
    struct u256 amount;
    uint64_t block;      /* of a transaction of ours; 0: of none */
    const uint8_t *body; /* of a request */
    size_t body_len;
};
int account_changes_transfers(struct db *db, struct arena *a, const char *address, uint64_t chain_id,
                              const char *venue, struct transfer_row **out);

/* Removes up to `max` that are older than an hour. Returns how many. */
int64_t account_changes_purge(struct db *db, uint64_t max);

#endif
