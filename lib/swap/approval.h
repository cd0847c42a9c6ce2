/* How a swap ends that waited for the operator's approval and did not get it. Nothing was signed. */
#ifndef SWAP_APPROVAL_H
#define SWAP_APPROVAL_H

#include "core/arena.h"
#include "model/policy.h"
#include "model/swap.h"
#include "store/db.h"

/* Its time is over: expired, which lists and webhooks know as failed. Does nothing when it was used, or its
 * time is not over. */
void approval_lapse(struct db *db, struct arena *a, const struct swap *s);

/* By the operator, also after granting it while it is not used: failed. 1, 0 it is used or over, -1 the
 * database failed. */
int approval_deny(struct db *db, struct arena *a, const struct approval *ap);

#endif
