/* The head of a chain, as one node knows it. */
#ifndef EXEC_EVM_HEAD_H
#define EXEC_EVM_HEAD_H

#include "chain/rpc/rpc.h"
#include "exec/plan.h"
#include "service/ctx.h"

struct head {
    uint64_t block;
    uint64_t confirm, settle; /* depths; 1 is the block itself */
    uint64_t finalized; /* the block that it calls finalized, which decides in place of `settle`; 0: none */
    struct fees fees;
};

/* The places of the answers in a batch. */
struct head_at {
    unsigned block;
    unsigned finalized; /* 0: not asked */
};

/* Adds the questions; the first one of a batch is never for what is finalized. */
struct head_at head_ask(struct rpc_batch *b, const struct ctx *ctx, const struct chain *c);
/* All but the fees. False when the newest block was not told. */
bool head_read(struct head *out, const struct ctx *ctx, const struct chain *c, struct head_at at,
               const struct rpc_answers *as);

/* By how many blocks the chain has grown with this one; 0 for one that it does not have (yet). */
uint64_t block_depth(const struct head *h, uint64_t block);
/* No reorganisation is expected to take the block away any more. */
bool block_is_settled(const struct head *h, uint64_t block);
#endif
