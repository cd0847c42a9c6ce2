/* What the follower does about transactions that are in no block: sends the same bytes again while they are
 * valid, signs a replacement with a higher fee when they are stuck, and once they will not be sent any more
 * takes their nonces by transfers of nothing, stored before they are sent. A committed nonce is never
 * released. */
#ifndef EXEC_EVM_REPAIR_H
#define EXEC_EVM_REPAIR_H

#include "base/arena.h"
#include "exec/watch.h"
#include "service/ctx.h"

void evm_repair(const struct ctx *ctx, struct arena *a, const struct watch *w);

#endif
