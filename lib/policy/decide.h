/* Wallet policies: limits that an agent or the operator sets to what a wallet gives away. All of a wallet's
 * policies must allow a swap; what cannot be read or valued is refused. They are decided inside the
 * transaction that signs, under the wallet's lock, so that no two swaps pass on the same remainder. Speeding
 * up or cancelling a signed swap is no new decision: nothing is asked again.
 *
 * Limits count what is given, on all chains together: in dollars (the highest of the pools' price, their
 * average of late and the feed's), in wei of ether (ether and wrapped ether as they are, everything else by
 * its price in dollars), or in one token's own units. Fees are no part of them and have a limit of their own.
 * A sum holds what was signed within the window and since the policy exists; swaps that have failed for good
 * do not count. */
#ifndef POLICY_DECIDE_H
#define POLICY_DECIDE_H

#include "base/arena.h"
#include "base/err.h"
#include "policy/value.h"
#include "store/db.h"

enum policy_verdict {
    POLICY_BROKEN, /* the database failed */
    POLICY_FREE,   /* no policy is in force */
    POLICY_ALLOWS,
    POLICY_ASKS, /* the operator has to approve it */
    POLICY_REFUSES,
};

/* Inside the transaction, under the wallet's lock (elsewhere it is an estimate). *why is the refusal, or for
 * POLICY_ASKS what to tell the operator. */
enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct policy_case *c,
                                  const struct err **why);
/* In the same transaction, for what was allowed. */
bool policy_spent(struct db *db, const struct policy_case *c, uint64_t execution_id);

#endif
