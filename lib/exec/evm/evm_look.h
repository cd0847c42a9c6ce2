/* A look at executions on an EVM chain: one batch to a node, about as many of them as nodes accept at once.
 * As exec/family.h says. */
#ifndef EXEC_EVM_EVM_LOOK_H
#define EXEC_EVM_EVM_LOOK_H

#include "exec/family.h"

bool evm_look_begin(const struct ctx *ctx, struct arena *a, struct chain_batch *s, struct call *call);
void evm_look_end(const struct ctx *ctx, struct arena *a, struct chain_batch *s);
void evm_look_free(struct chain_batch *s);
void evm_place(const struct ctx *ctx, struct arena *a, const struct chain *c, struct unplaced_list *list);

#endif
