/* Finds nonces of wallets on EVM chains that are used up, which an older database does not know. */
#ifndef EXEC_EVM_EVM_RECONCILE_H
#define EXEC_EVM_EVM_RECONCILE_H

#include "exec/chain_ops.h"

/* struct chain_ops, `reconcile`. */
bool evm_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct wallet *list,
                   size_t count, int64_t since_ms, uint64_t *unknown);

#endif
