/* Handing signed transactions to Solana's nodes. */
#ifndef EXEC_SOLANA_SOLANA_SEND_H
#define EXEC_SOLANA_SOLANA_SEND_H

#include "base/arena.h"
#include "model/execution.h"
#include "service/ctx.h"

/* As exec/chain_ops.h says. */
bool solana_send(const struct ctx *ctx, struct arena *a, const struct transaction *txs, unsigned n,
                 unsigned deadline_ms, enum broadcast_result *out);

#endif
