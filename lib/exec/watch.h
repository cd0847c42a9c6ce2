/* A swap under observation, for the files of the follower. */
#ifndef EXEC_WATCH_H
#define EXEC_WATCH_H

#include <jansson.h>

#include "chain/chains.h"
#include "exec/plan.h"
#include "model/execution.h"
#include "model/wallet.h"

/* The chain's newest block as one node knows it. */
struct head {
    uint64_t block;
    uint64_t confirm, settle; /* depths; 1 is the block itself */
    uint64_t finalized;       /* the block that it calls so, and that decides in place of `settle`; 0: none */
    struct fees fees;
};

struct receipt {
    uint64_t block; /* 0: in no block */
    bool succeeded;
    const json_t *logs; /* borrowed from the answer */
    bool foreign;       /* by what was found: the nonce is gone for good to a transaction that is not ours */
};

struct watch {
    struct execution *swap;
    const struct chain *chain;
    struct wallet wallet;
    struct transaction *txs;  /* by nonce, then in the order of signing */
    struct receipt *receipts; /* one for each */
    unsigned count;
    uint64_t swap_nonce; /* of the swap's own transaction */
    int64_t now_ms;      /* by the database's clock, as the rows' times are: hosts' clocks may be wrong */
    /* what the node said */
    unsigned at_count; /* where its answers begin in the batch */
    bool known;        /* all of them are there */
    struct head head;
    uint64_t chain_count; /* the wallet's transactions in blocks */
    bool doubted;         /* by what is recorded something speaks against the swap: another node is asked */
    bool refused;         /* by what is recorded: nodes will never take the swap's bytes */
    bool foreign;         /* that of the swap's nonce */
};

/* By how many blocks the chain has grown with this one; 0 for one that it does not have (yet). */
uint64_t block_depth(const struct watch *w, uint64_t block);
/* No reorganisation is expected to take the block away any more. */
bool block_is_settled(const struct watch *w, uint64_t block);
/* One of ours is in a block. */
bool nonce_in_block(const struct watch *w, uint64_t nonce);
/* The chain counts it as used, and none of ours is in a block: by whom is not known. */
bool nonce_taken(const struct watch *w, uint64_t nonce);
/* Attempts at one nonce are neighbours: whether txs[i] is the first of them. */
bool first_of_nonce(const struct watch *w, unsigned i);

/* Refusals for good before a transaction is given up: a single one may come from a node that lags behind. */
enum { REFUSALS = 2 };

#endif
