/* The amount of the bought token that a transaction brought. As exec/chain_ops.h says. */
#ifndef EXEC_EVM_ARRIVED_H
#define EXEC_EVM_ARRIVED_H

#include "exec/chain_ops.h"

/* Asks for the balances of those wallets of the batch that have just bought coin, or have done so for good.
 * What a completed execution brought is compared with what was recorded (`otherwise`). */
void arrived_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s);
bool evm_arrived(struct u256 *out, const struct tracked *w, unsigned i);
bool evm_changes(struct account_change *out, const struct tracked *w, unsigned i);

#endif
