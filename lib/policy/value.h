/* A swap as policies see it, and what it is worth. */
#ifndef POLICY_VALUE_H
#define POLICY_VALUE_H

#include "base/arena.h"
#include "chain/tokens.h"
#include "exec/evm/plan.h"
#include "model/quote.h"
#include "model/wallet.h"
#include "service/ctx.h"

struct policy_case {
    const struct quote *quote;
    const struct plan *plan;
    const struct wallet *wallet;
    struct u256 fees; /* wei that all its transactions may cost at most */
    bool approved;    /* by the operator, on these terms */
    /* filled by policy_value; what nobody asked for, or nobody could say, is missing */
    bool has_usd, has_ether, has_gas_usd;
    bool prices_apart;               /* that is why */
    struct u256 usd, ether, gas_usd; /* 18 places */
};

/* Only what the tables know has a price: anybody can call a contract USDC. */
const struct token *policy_known_token(const struct token_ref *t, const struct chain **c);

/* Before the transaction, as it may ask for prices: what the wallet's policies want to know about the swap.
 * False when the database failed. */
bool policy_value(const struct ctx *ctx, struct arena *a, struct policy_case *c);

#endif
