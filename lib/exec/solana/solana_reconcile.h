/* Finds transactions of wallets on Solana that an older database does not know: there are no nonces. */
#ifndef EXEC_SOLANA_SOLANA_RECONCILE_H
#define EXEC_SOLANA_SOLANA_RECONCILE_H

#include "exec/chain_ops.h"

/* struct chain_ops, `reconcile`. Payments to a wallet count, too. */
bool solana_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c,
                      const struct wallet *list, size_t count, int64_t since_ms, uint64_t *unknown);

#endif
