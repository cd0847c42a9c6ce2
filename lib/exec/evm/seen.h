/* A node's answers about an execution at one poll. */
#ifndef EXEC_EVM_SEEN_H
#define EXEC_EVM_SEEN_H

#include "exec/evm/evm_receipt.h"
#include "exec/evm/head.h"
#include "exec/tracked.h"

struct evm_seen {
    unsigned at_nonces, at_receipts; /* where the answers about it are in the batch */
    unsigned at_again;               /* the place of the answers if two nodes are asked about a success */
    struct head head;
    uint64_t nonces;          /* of the wallet that are used: its transactions in blocks */
    struct receipt *receipts; /* one for each transaction */
    bool told;                /* by its balance, how much coin the wallet got from the purchase: */
    struct u256 came;
};

static inline struct evm_seen *evm_seen(const struct tracked *w)
{
    return w->seen;
}

/* One of ours is in a block. */
bool nonce_in_block(const struct tracked *w, uint64_t nonce);
/* The chain counts it as used, and none of ours is in a block: by whom is not known. */
bool nonce_taken(const struct tracked *w, uint64_t nonce);

#endif
