/* The differences between the nodes of families of chains. */
#ifndef CHAIN_RPC_DIALECT_H
#define CHAIN_RPC_DIALECT_H

#include <stdbool.h>

#include "chain/chains.h"
#include "chain/rpc/rpc.h"

struct dialect {
    const char *which; /* the method that tells of which chain a node is */
    /* Whether it is of this one. False when the answer does not say. */
    bool (*read_which)(bool *right, const struct chain *c, const struct rpc_answer *r);
    rpc_classifier *classify;
    const char *newest, *newest_params; /* the question how far a node is */
    /* Reads the answer: a height, and the block's Unix time or 0. False for anything else. */
    bool (*read_newest)(uint64_t *height, uint64_t *time, const struct rpc_answer *r);
    /* The method that tells of a block, by its number in hex and `false`, and the hash in its answer. NULL:
     * old blocks are not asked for. */
    const char *by_number;
    bool (*read_hash)(uint8_t hash[32], const struct rpc_answer *r);
};

/* The dialect of the chain's nodes. Families are above this folder: registry/dialects.c defines this. */
const struct dialect *dialect_of(const struct chain *c);

#endif
