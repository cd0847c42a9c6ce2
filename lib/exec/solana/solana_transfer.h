/* Plain transfers on Solana, which only the operator can have signed. The functions are as exec/chain_ops.h
 * says. */
#ifndef EXEC_SOLANA_SOLANA_TRANSFER_H
#define EXEC_SOLANA_SOLANA_TRANSFER_H

#include "base/arena.h"
#include "base/err.h"
#include "exec/plan.h"
#include "service/ctx.h"

/* The coin goes to the recipient itself, a token into its associated account, which is opened if need be.
 * Before it is completed, the transaction names no blockhash, and the account that most wallets have. */
void solana_plan_transfer(struct plan *p, struct arena *a, const char *to, struct u256 amount);

/* For a transfer: asks for a blockhash, and for the program of the token. The wallet may have several
 * accounts of it: one transaction takes from the fullest. A transfer of the coin also closes emptied accounts
 * and takes their deposits. */
const struct err *solana_transfer_complete(const struct ctx *ctx, struct arena *a, struct plan *p);

#endif
