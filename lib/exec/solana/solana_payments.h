/* Payments of others on Solana, by the balances before and after their transactions. */
#ifndef EXEC_SOLANA_SOLANA_PAYMENTS_H
#define EXEC_SOLANA_SOLANA_PAYMENTS_H

#include "base/arena.h"
#include "exec/payment.h"
#include "service/ctx.h"

/* As exec/chain_ops.h has them. */
bool solana_payments_begin(const struct ctx *ctx, struct arena *a, struct payments *p, struct call *call);
void solana_payments_end(const struct ctx *ctx, struct arena *a, struct payments *p);

#endif
