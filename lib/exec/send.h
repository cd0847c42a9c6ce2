/* Handing signed transactions to a chain's nodes: all families send alike, but for the question. */
#ifndef EXEC_SEND_H
#define EXEC_SEND_H

#include "base/arena.h"
#include "chain/rpc/rpc.h"
#include "model/execution.h"
#include "service/ctx.h"

/* Adds the question by which a node is given the transaction. */
typedef void send_question(struct rpc_batch *b, struct arena *a, const struct transaction *t);

/* As exec/chain_ops.h says of `send`. */
bool send_to_nodes(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                   unsigned deadline_ms, send_question *question, enum broadcast_result *out);

#endif
