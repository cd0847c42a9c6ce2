/* A poll of executions on an EVM chain: one batch to a node, about as many of them as nodes accept at once.
 * As exec/chain_ops.h says. */
#ifndef EXEC_EVM_EVM_POLL_H
#define EXEC_EVM_EVM_POLL_H

#include "exec/chain_ops.h"

bool evm_poll_begin(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call);
void evm_poll_end(const struct ctx *ctx, struct arena *a, struct chain_batch *s);
void evm_poll_free(struct chain_batch *s);
void evm_place(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list);

#endif
