/* Plans on EVM chains: what their steps call, what the chain says about them and what they may cost. One
 * round trip to a node, no database. The functions are as exec/chain_ops.h says. */
#ifndef EXEC_EVM_EVM_PLAN_H
#define EXEC_EVM_EVM_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/evm/evm_addr.h"
#include "exec/plan.h"
#include "service/ctx.h"

/* An approval, preceded by one of zero for tokens that refuse to change an allowance. */
void evm_plan_allow(struct plan *p, struct arena *a, const char *token, const char *spender,
                    struct u256 amount);
void evm_plan_transfer(struct plan *p, struct arena *a, const char *to, struct u256 amount);

/* Gas limits come from the simulation, or from quoted_gas when the simulation did not run to its end. */
const struct err *evm_plan_try(const struct ctx *ctx, struct arena *a, struct plan *p,
                               struct chain_state *st);

/* Values, and gas limits at the highest fee. */
MUST_CHECK bool evm_plan_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                              struct u256 *fees);

#endif
