/* The coin for its wrapped form and back: of such a plan the step has no data until a node has told what it
 * is to name. */
#ifndef EXEC_SOLANA_SOLANA_WRAP_H
#define EXEC_SOLANA_SOLANA_WRAP_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/plan.h"
#include "service/ctx.h"

bool solana_is_wrap(const struct plan *p);
/* As exec/chain_ops.h says; E_BALANCE where the wallet's account holds less than is to be unwrapped. */
const struct err *solana_wrap_complete(const struct ctx *ctx, struct arena *a, struct plan *p);

#endif
