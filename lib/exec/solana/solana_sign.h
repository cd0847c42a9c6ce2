/* Signing a step on Solana. */
#ifndef EXEC_SOLANA_SOLANA_SIGN_H
#define EXEC_SOLANA_SOLANA_SIGN_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. The step is the whole transaction; its first signature is the wallet's. */
bool solana_sign(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out);

#endif
