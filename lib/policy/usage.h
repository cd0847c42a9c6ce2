/* The used part of the limits that policies set for a window, for owners to see. No decision depends on
 * it. */
#ifndef POLICY_USAGE_H
#define POLICY_USAGE_H

#include "base/arena.h"
#include "model/policy.h"
#include "store/db.h"

enum {
    POLICY_USE_NONE = -1,   /* nothing is summed up: it is no limit, or has no window */
    POLICY_USE_BROKEN = -2, /* the database failed */
};

struct policy_use {
    const char *wallet; /* its address */
    const char *used;   /* within the window; NULL: something cannot be valued, and more of it is refused */
    const char *limit;
    const char *unit; /* of both: USD, ether, or the policy's token */
};

struct policy_usage; /* of one agent; wallets and what they spent are read once, when first needed */

/* In the arena, like all texts. */
struct policy_usage *policy_usage_new(struct db *db, struct arena *a, uint64_t agent_id);

/* For a policy for each wallet, only wallets that have used something. Returns how many, or POLICY_USE_…. */
int policy_usage_of(struct policy_usage *u, const struct policy *p, struct policy_use **out);

#endif
