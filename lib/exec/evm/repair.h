/* What the follower does about transactions that are in no block: the same bytes again while they are valid,
 * more fee when they are stuck, and when they will not be offered any more a transfer of nothing at the same
 * nonce, stored before it is sent. A committed nonce is never released. */
#ifndef EXEC_EVM_REPAIR_H
#define EXEC_EVM_REPAIR_H

#include "base/arena.h"
#include "exec/watch.h"
#include "service/ctx.h"

void evm_repair(const struct ctx *ctx, struct arena *a, const struct watch *w);

#endif
