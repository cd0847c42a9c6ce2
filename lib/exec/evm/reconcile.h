/* What EVM chains know of wallets and an older database does not: nonces that are used up. */
#ifndef EXEC_EVM_RECONCILE_H
#define EXEC_EVM_RECONCILE_H

#include "exec/family.h"

/* struct family, `reconcile`. */
bool evm_reconcile(const struct ctx *ctx, struct arena *a, const struct chain *c, const struct wallet *list,
                   size_t count, int64_t since_ms, uint64_t *unknown);

#endif
