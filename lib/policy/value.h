/* The worth of a spend for the policies of its wallet. */
#ifndef POLICY_VALUE_H
#define POLICY_VALUE_H

#include "base/arena.h"
#include "policy/spend_facts.h"
#include "service/ctx.h"

/* The figures that some policy of the wallet limits: the spend in dollars or in ether, its fees in
 * dollars. */
struct worth_needed {
    bool usd, ether, gas_usd;
};

/* Fills o->worth with what the wallet's policies limit, or finds that it has none, unless that is known. May
 * ask nodes for prices:
 * call it before the transaction that decides. False when the database failed. */
bool policy_value(const struct ctx *ctx, struct arena *a, struct spend_facts *o);

#endif
