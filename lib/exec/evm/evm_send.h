/* Sending stored transactions to the nodes of an EVM chain. */
#ifndef EXEC_EVM_EVM_SEND_H
#define EXEC_EVM_EVM_SEND_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. */
bool evm_send(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
              unsigned deadline_ms, enum broadcast_result *out);

#endif
