/* One poll of every node of the settings, for an operator who wants to know whether they are the right ones.
 */
#ifndef CHAIN_RPC_NODE_CHECK_H
#define CHAIN_RPC_NODE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chain/rpc/node.h"

struct node_checked {
    const struct chain *chain;
    enum node_role role; /* NODE_READ or NODE_VERIFY: relays answer no questions */
    size_t place;        /* in the setting, from 0 */
    const char *url;     /* a key may be in it */
    bool known, right;   /* it has said of which chain it is; it is of this one */
    uint64_t height;     /* of its newest block; 0: it did not say */
    uint64_t time;       /* of that block; 0: unknown */
    unsigned took_ms;    /* to say which block is its newest */
    const char *error;   /* why it did not, or is not used (node_cause.h); NULL: it did */
};

/* Other abilities of a node of an EVM chain, where it was asked. */
struct node_abilities {
    unsigned block_ms;      /* between its latest blocks, on average; 0: unknown */
    const char *simulation; /* why it does not run eth_simulateV1; NULL: it does */
    const char *logs;       /* why it does not show logs of NODE_LOGS_BLOCKS blocks; NULL: it does */
};
enum { NODE_LOGS_BLOCKS = 2000, NODE_PACE_BLOCKS = 1000, NODE_PACE_LEAST = 100 };
/* Asks one that has named its newest block. Texts are in the arena, and printable. */
struct node_abilities node_abilities(const struct node_checked *n, const struct ctx *ctx, struct arena *a,
                                     unsigned ms);

/* Asks all of them at once, for `ms` at most. They are in the arena; returns how many. */
size_t nodes_check(struct node_checked **out, const struct ctx *ctx, struct arena *a, unsigned ms);

#endif
