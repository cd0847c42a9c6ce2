/* What an EVM chain says about a plan before it is signed: one round trip to a node, no database. */
#ifndef EXEC_EVM_PLAN_H
#define EXEC_EVM_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/plan.h"
#include "service/ctx.h"

/* Appends the approval of exactly `amount`, after one of zero where the token wants that. */
void plan_approve(struct plan *p, struct arena *a, const char *token, const char *spender,
                  struct u256 amount);

/* Asks the node: balances, count, fees, the plan's probe, and a trial run of all steps, which sets their gas
 * limits (by what they were quoted with when it did not run to its end). E_UPSTREAM when no node answered. */
const struct err *plan_try(const struct ctx *ctx, struct arena *a, struct plan *p, struct chain_state *st);

/* What the steps may take out of the wallet in native coin: values, and gas limits at the highest fee. */
MUST_CHECK bool plan_native_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                                 struct u256 *fees);

#endif
