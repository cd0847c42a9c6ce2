/* Balances of wallets on Solana: the coin, and the listed tokens of both token programs. */
#ifndef EXEC_SOLANA_SOLANA_BALANCES_H
#define EXEC_SOLANA_SOLANA_BALANCES_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. */
void solana_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                     const struct chain *only, struct holdings *out);

#endif
