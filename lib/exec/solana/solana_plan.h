/* Plans on Solana: what the chain says about their one step and what it may cost. The functions are as
 * exec/chain_ops.h says. */
#ifndef EXEC_SOLANA_SOLANA_PLAN_H
#define EXEC_SOLANA_SOLANA_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/plan.h"
#include "service/ctx.h"

/* Reads the lookup tables of each step: what they name is its proof. Where it bears no blockhash yet it gets
 * one. A transfer is completed first (exec/solana/solana_transfer.h). */
const struct err *solana_plan_complete(const struct ctx *ctx, struct arena *a, struct plan *p);

/* All of the fees, and what the accounts that are opened have to hold, are the price of one unit of gas. The
 * simulation compares all accounts of the wallet that the transaction may write to with what they were. */
const struct err *solana_plan_try(const struct ctx *ctx, struct arena *a, struct plan *p,
                                  struct chain_state *st);
MUST_CHECK bool solana_plan_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                                 struct u256 *fees);

#endif
