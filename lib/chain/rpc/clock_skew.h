/* Whether this host's clock is the one that is off, by the newest blocks of all nodes that answer. */
#ifndef CHAIN_RPC_CLOCK_SKEW_H
#define CHAIN_RPC_CLOCK_SKEW_H

#include <stdint.h>

#include "base/arena.h"
#include "chain/chains.h"

/* All zero: nothing was seen. */
struct clock_skew {
    int64_t least_s, most_s; /* by which newest blocks are older than this clock says */
    size_t chains, nodes;    /* `chains`: those of one chain are added one after the other */
    const struct chain *last;
};

void clock_skew_add(struct clock_skew *l, const struct chain *c, int64_t lag_s);

/* NULL: it agrees with a node, or the nodes do not agree with each other, or one chain alone has stood still.
 * Else "this host's clock is 3600 s ahead of all nodes"; in the arena. */
const char *clock_skew_text(const struct clock_skew *l, struct arena *a);

#endif
