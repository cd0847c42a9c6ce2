/* Facts about the nodes of the chains; for node.c, which asks them, and node_health.c, which watches them.
 * Forked processes share and write them as they learn them, each member on its own: a fact that is lost in a
 * race is learnt again. */
#ifndef CHAIN_RPC_NODE_PEER_H
#define CHAIN_RPC_NODE_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/chains.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "chain/rpc/node_health.h"
#include "net/call.h"

enum { NODES_MAX = CONF_NODES_MAX }; /* of one chain, for one role */

/* Times are monotonic. */
struct peer {
    struct breaker breaker;
    enum { CHAIN_UNKNOWN, CHAIN_RIGHT, CHAIN_WRONG } chain;
    int64_t wrong_until_ms; /* then it is asked for its chain again */
    unsigned batch_less;    /* by how many items than the most a batch may have */
    unsigned lacks;         /* of enum rpc_need */
    /* node_health.c's */
    int64_t until_ms[NODE_STANDINGS]; /* how long it stands so */
    uint64_t height;                  /* that it named last; 0: none */
    int64_t head_s;                   /* Unix time of that block; 0: unknown */
    int64_t lag_s;                    /* by which it was older than this clock when it was seen */
    unsigned unanswered;              /* looks in a row */
    unsigned cause;                   /* why it did not answer the last one (node_cause.h) */
    struct block_pace pace;           /* of its heads */
    uint64_t settled;                 /* a block that it called by this hash when it was settled; 0: none */
    uint8_t settled_hash[32];
    int64_t settled_next_ms; /* when it is asked for such a block again */
};

struct urls {
    struct target target[NODES_MAX + 1]; /* no url ends the list */
    size_t
        alike; /* of those to send to, from the first on: the others are for when all of these have failed */
};

/* Those of one chain, for one role, by the places of their URLs. */
struct peers {
    struct peer of[NODES_MAX];
    int64_t asked_ms;    /* when a process asked the chain last; 0: never */
    unsigned log_blocks; /* most that a question for logs may span; 0: no node has refused any */
    uint64_t head;       /* the newest block that a poll saw; 0: none */
    int64_t head_ms;     /* when it was seen first */
};

struct nodes {
    struct urls *of;     /* of each role one per row of chains[] */
    struct peers *peers; /* of each role one per row of chains[], shared */
};

const struct target *nodes_targets(const struct nodes *n, const struct chain *c, enum node_role role);
struct peers *nodes_peers(const struct nodes *n, const struct chain *c, enum node_role role);

/* Whether its chain is to be asked for: it is not known, or was another one a while ago. */
bool peer_chain_is_due(const struct peer *p);
/* Takes note of whether the node of that name (struct target) has named its chain. */
void peer_note_chain(struct peer *p, const char *name, bool right);

#endif
