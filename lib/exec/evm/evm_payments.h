/* Reads payments that others have made on EVM chains. As exec/chain_ops.h says. */
#ifndef EXEC_EVM_EVM_PAYMENTS_H
#define EXEC_EVM_EVM_PAYMENTS_H

#include "exec/chain_ops.h"

enum lookup evm_newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c, uint64_t *block);
bool evm_payments_begin(const struct ctx *ctx, struct arena *a, struct payments *p, struct call *call);
void evm_payments_end(const struct ctx *ctx, struct arena *a, struct payments *p);

#endif
