/* Balances of wallets on EVM chains: coins and listed tokens, all chains asked at once. */
#ifndef EXEC_EVM_EVM_BALANCES_H
#define EXEC_EVM_EVM_BALANCES_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. */
void evm_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                  const struct chain *only, struct holdings *out);

#endif
