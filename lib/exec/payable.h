/* Whether an address may be paid: one judgement for all ways out of a wallet (withdrawals, bridges, swaps to
 * a chain of another family, those that the caller signs too). What can only be a mistake is refused, whether
 * or not it exists today; what no node tells is not paid. */
#ifndef EXEC_PAYABLE_H
#define EXEC_PAYABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "service/ctx.h"

struct recipient {
    const struct chain *chain; /* on which it is paid */
    const char *address;       /* as the chain writes it */
    const char *token;         /* address of what it is paid; NULL: not known yet */
    bool contract_allowed;     /* allow_contract names the chain */
};

/* The fault of the address on every chain of its family, without asking any; NULL: none. */
const char *recipient_fault(enum chain_type type, const char *address);
/* NULL: it may be paid. E_RECIPIENT_LOST, E_NO_WALLET_THERE, E_CONTRACT_ELSEWHERE, E_UPSTREAM. */
const struct err *recipient_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r);

/* Whether the keys of chains in `list`, with commas between them, have this one. */
bool chain_listed(const char *list, const struct chain *c);

#endif
