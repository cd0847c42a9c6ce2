/* Wallet policies: limits that an agent or the operator sets on what a wallet spends. All of a wallet's
 * policies must allow a spend; what cannot be read or valued is refused. They are decided inside the
 * transaction that signs, under the wallet's lock, so that no two executions use the same remainder. Speeding
 * up or cancelling a signed transaction is no new decision: policies are not consulted again.
 *
 * Limits count what leaves, on all chains together: in dollars (the highest of the pools' price, their recent
 * average and the feed's), in wei of ether (ether and wrapped ether as they are, everything else by its price
 * in dollars), or in one token's own units. Fees are not part of them and have a limit of their own. A sum
 * holds what was signed within the window and since the policy exists; executions that failed for good do not
 * count. */
#ifndef POLICY_DECIDE_H
#define POLICY_DECIDE_H

#include "base/arena.h"
#include "base/err.h"
#include "policy/spend_facts.h"
#include "store/db.h"

enum policy_verdict {
    POLICY_BROKEN, /* the database failed */
    POLICY_FREE,   /* no policy is in force */
    POLICY_ALLOWS,
    POLICY_ASKS, /* the operator must approve it */
    POLICY_REFUSES,
};

/* Inside the transaction, under the wallet's lock (elsewhere it is an estimate). *why is the refusal, or for
 * POLICY_ASKS what to tell the operator. */
enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct spend_facts *o,
                                  const struct err **why);
/* In the same transaction, when policies allowed it: counts it in the sums of their windows. */
bool policy_count_spend(struct db *db, const struct spend_facts *o, uint64_t execution_id);

#endif
