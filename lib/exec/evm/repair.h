/* Repairs transactions that are in no block: it sends the same bytes again while they are valid, and replaces
 * them at a higher fee when they are stuck; once they will not be sent any more, it uses up their nonces with
 * transfers of nothing. Each transaction that it signs is stored before it is sent. A committed nonce is
 * never reused. */
#ifndef EXEC_EVM_REPAIR_H
#define EXEC_EVM_REPAIR_H

#include "base/arena.h"
#include "exec/tracked.h"
#include "service/ctx.h"

void evm_repair(const struct ctx *ctx, struct arena *a, struct tracked *w);

#endif
