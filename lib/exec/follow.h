/* Following swaps that are in flight: sees inclusion, depth, reverts and reorganisations, offers stored bytes
 * again, pays more where a transaction is stuck, and takes back the nonces of what will not be offered any
 * more. */
#ifndef EXEC_FOLLOW_H
#define EXEC_FOLLOW_H

#include "base/arena.h"
#include "service/ctx.h"

/* One pass over the swaps that are due. How many were looked at, or -1. */
int swaps_follow(const struct ctx *ctx, struct arena *a);

#endif
