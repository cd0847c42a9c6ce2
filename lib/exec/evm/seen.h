/* What a node has said about an execution at one look. */
#ifndef EXEC_EVM_SEEN_H
#define EXEC_EVM_SEEN_H

#include "exec/evm/receipt.h"
#include "exec/plan.h"
#include "exec/watch.h"

/* The chain's newest block as one node knows it. */
struct head {
    uint64_t block;
    uint64_t confirm, settle; /* depths; 1 is the block itself */
    uint64_t finalized; /* the block that it calls finalized, which decides in place of `settle`; 0: none */
    struct fees fees;
};

struct evm_seen {
    unsigned at_nonces, at_receipts; /* where the answers about it stand in the batch */
    struct head head;
    uint64_t nonces;          /* of the wallet that are used: its transactions in blocks */
    struct receipt *receipts; /* one for each transaction */
};

static inline struct evm_seen *evm_seen(const struct watch *w)
{
    return w->seen;
}

/* By how many blocks the chain has grown with this one; 0 for one that it does not have (yet). */
uint64_t block_depth(const struct head *h, uint64_t block);
/* No reorganisation is expected to take the block away any more. */
bool block_is_settled(const struct head *h, uint64_t block);
/* One of ours is in a block. */
bool nonce_in_block(const struct watch *w, uint64_t nonce);
/* The chain counts it as used, and none of ours is in a block: by whom is not known. */
bool nonce_taken(const struct watch *w, uint64_t nonce);

#endif
