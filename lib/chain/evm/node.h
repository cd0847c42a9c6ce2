/* The operator's nodes of each chain: which URLs, and asking them in turn. A node that does not answer is
 * left alone for a moment, by all processes that were forked after nodes_new. */
#ifndef CHAIN_EVM_NODE_H
#define CHAIN_EVM_NODE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/evm/rpc.h"
#include "net/call.h"
#include "service/conf.h"
#include "service/ctx.h"

struct nodes;

/* What nodes are for. */
enum node_role {
    NODE_READ, /* "rpc.<chain>" of the settings, else the chain's public nodes */
    NODE_SEND, /* "send.<chain>", which alone take transactions unless send_fallback is set; else as above */
    NODE_VERIFY, /* "verify.<chain>": a second, independent one; often nobody */
};

/* What is learnt about a node on the way
 * is kept, and shared with the processes that are forked: whether it is of the right chain at all (a node of
 * another one is never used), how large a batch may be, what it does not have. */
struct nodes *nodes_new(const struct conf *conf);
void nodes_free(struct nodes *n);
/* Whether there is one to read from, or to verify with. */
bool nodes_known(const struct nodes *n, const struct chain *c);
bool nodes_verify(const struct nodes *n, const struct chain *c);
/* What to answer when the chain's nodes kept silent: E_BUSY when too many wait for them already, else
 * E_UPSTREAM.
 */
const struct err *node_silence(const struct ctx *ctx, struct arena *a, const struct chain *c);

/* A batch for a chain. Its items are asked of the chain's nodes in turn until each has a final answer
 * (rpc_class.h), in as many parts as a node wants; so they may come from several nodes, and tell of one state
 * only where they are one item. */
struct node_query {
    const struct chain *chain;
    const struct rpc_batch *batch; /* finished */
    enum node_role role;
    bool second_opinion; /* the chain's second node is asked first, where there is one */
    void *owner;         /* the caller's own */
    bool answered;       /* some answer is final; then `answers` must be freed */
    struct rpc_answers answers;
    struct asking *asking; /* node.c's own */
};

/* All of them at once under one deadline: what one chain's nodes keep silent about costs the others nothing
 * but time. */
void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a);
/* One of them. False when there is no final answer at all; then *out needs no free. */
bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out);

/* The same in halves, for those who run the call themselves (calls_run): node_begin makes the call, whose
 * `owner` is the query; false when the chain has no node. node_end, once it has ended, says whether it was
 * answered. */
bool node_begin(struct call *call, const struct ctx *ctx, struct node_query *q, struct arena *a);
bool node_end(struct node_query *q);

#endif
