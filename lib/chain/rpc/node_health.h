/* The standing of a chain's nodes, where there are several to read from. Probes compare their newest blocks,
 * and a node that lags, contradicts itself or does not answer is asked last by all processes that share the
 * nodes until a moment after it has done better: it is still asked when no other node answers. */
#ifndef CHAIN_RPC_NODE_HEALTH_H
#define CHAIN_RPC_NODE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "service/ctx.h"

struct nodes;

enum node_health {
    NODE_READY,
    NODE_BEHIND,        /* its newest block is old */
    NODE_CONTRADICTING, /* itself: blocks that it had are gone or others; or all other nodes, by far */
    NODE_UNAVAILABLE,   /* while others answer */
    NODE_OTHER_CHAIN,   /* and never used */
    NODE_STANDINGS
};

/* One poll of all chains that were asked lately, and at all others too while none of these has a node that
 * answers; takes a second at most. One process of those that share the nodes looks, every few seconds. */
void nodes_probe(const struct ctx *ctx, struct arena *a);

/* The number of nodes to read from a chain; whether looks are made at them now, and whether they are judged:
 * a single one is not. */
size_t nodes_count(const struct nodes *n, const struct chain *c);
bool nodes_looked_at(const struct nodes *n, const struct chain *c);
bool nodes_watched(const struct nodes *n, const struct chain *c);
/* The standing of the node at a place; places count from 0. */
enum node_health nodes_health(const struct nodes *n, const struct chain *c, size_t place);
/* The part of the URL at a place that monitors may see: scheme, host and port. */
const char *nodes_name(const struct nodes *n, const struct chain *c, size_t place);
/* Calls `one` with the name of each, in the order of chains and settings; those of several roles come again.
 */
void nodes_each(const struct nodes *n, void (*one)(void *arg, const struct chain *c, const char *name),
                void *arg);
/* Whether it answers the polls. */
bool nodes_answers(const struct nodes *n, const struct chain *c, size_t place);
/* Why no node of a chain that is probed is healthy, for each by its place; NULL: one is, as far as is
 * known, or no process looks. In the arena. */
const char *nodes_incident(const struct nodes *n, const struct chain *c, struct arena *a);
/* How far this host's clock is off, by the latest looks at all nodes (chain/rpc/clock_skew.h); NULL: it is
 * not. */
const char *nodes_clock(const struct nodes *n, struct arena *a);
/* Whether some node of any chain can be asked, as far as is known: false once looks at all chains have shown
 * none that answers and is of its chain, and until one does again. */
bool nodes_work(const struct nodes *n);
/* The newest block that it has named; false: it was not looked at lately, or never answered. */
struct node_head {
    uint64_t height;
    int64_t age_s; /* since the time that is in it */
};
bool nodes_head(const struct nodes *n, const struct chain *c, size_t place, struct node_head *out);
/* The place of the one with the newest block among the healthy ones; false: there is none, as far as is
 * known. */
bool nodes_best(const struct nodes *n, const struct chain *c, size_t *place, struct node_head *out);
const char *node_health_text(enum node_health s); /* "ready", "other chain" */

#endif
