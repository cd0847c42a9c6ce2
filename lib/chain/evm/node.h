/* The operator's nodes of each chain: which URLs, and asking them in turn. A node that does not answer is
 * left alone for a moment, by all processes that were forked after nodes_new. */
#ifndef CHAIN_EVM_NODE_H
#define CHAIN_EVM_NODE_H

#include <stdbool.h>

#include "chain/chains.h"
#include "chain/evm/rpc.h"
#include "core/arena.h"
#include "core/conf.h"
#include "core/ctx.h"
#include "core/err.h"
#include "net/call.h"

struct nodes;

/* From "rpc.<chain>" of the settings, else the chain's public nodes. */
struct nodes *nodes_new(const struct conf *conf);
void nodes_free(struct nodes *n);
bool nodes_known(const struct nodes *n, const struct chain *c);
/* Makes a call to the chain's nodes in turn (net/call.h), in the chain's lane; false when there is none. For
 * those who ask by themselves. */
bool nodes_call(struct call *call, const struct ctx *ctx, const struct chain *c);
/* What to answer when the chain's nodes kept silent: E_BUSY when too many wait for them already, else
 * E_UPSTREAM.
 */
const struct err *node_silence(const struct ctx *ctx, struct arena *a, const struct chain *c);

/* Sends a finished batch to the chain's nodes in turn until each item has a final answer (rpc_class.h), all
 * under one deadline; so the answers may come from several nodes. False when there is no final answer at all;
 * then *out needs no free. */
bool node_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *a, struct rpc_answers *out);

/* Several chains at once under the same deadline: what one chain's nodes keep silent about costs the others
 * nothing but time. */
struct node_query {
    const struct chain *chain;
    const struct rpc_batch *batch; /* finished */
    bool second_opinion;           /* the chain's second node is asked first, where there is one */
    bool answered;                 /* then `answers` must be freed */
    struct rpc_answers answers;
};
void node_ask_all(const struct ctx *ctx, struct node_query *queries, size_t count, unsigned deadline_ms,
                  struct arena *a);

#endif
