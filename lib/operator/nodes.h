/* The answers of each node of the settings, asked now, one by one. */
#ifndef OPERATOR_NODES_H
#define OPERATOR_NODES_H

#include "chain/chains.h"
#include "operator/operator.h"

struct node_report {
    const struct chain *chain;
    size_t place;     /* in the setting, from 1 */
    const char *host; /* of its URL: a key may be in the rest */
    unsigned latency_ms;
    uint64_t head;     /* its newest block */
    int64_t age_s;     /* of that block; -1: unknown */
    int64_t lag_s;     /* of that block behind the clock, below zero where it is dated ahead */
    const char *error; /* NULL: it answered */
};

/* Those of every chain that has any, in the order of the chains and of the settings; in the arena. Takes two
 * seconds at most. Needs net and nodes in ctx. Returns how many. */
size_t operator_nodes(const struct ctx *ctx, struct arena *a, struct node_report **out);

/* How far this host's clock is off by all of them; NULL: it is not. In the arena. */
const char *operator_clock(const struct node_report *nodes, size_t n, struct arena *a);

/* Whether the chain goes on, as this node sees it: its newest block is not much older than blocks are apart.
 */
bool node_report_is_fresh(const struct node_report *r);

#endif
