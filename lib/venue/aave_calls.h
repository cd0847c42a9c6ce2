/* Aave V3's Pools. Everything is for the wallet itself, whose aTokens and debts are its own. */
#ifndef VENUE_AAVE_CALLS_H
#define VENUE_AAVE_CALLS_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "venue/contracts.h"

void aave_supply(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet);
/* The amount of these two may be LOAN_ALL (venue/loan_calls.h). */
void aave_withdraw(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet);
void aave_repay(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet);
void aave_borrow(struct buf *out, struct evm_addr asset, struct u256 amount, struct evm_addr wallet);
/* Whether what is supplied serves as collateral. */
void aave_collateral(struct buf *out, struct evm_addr asset, bool enabled);

extern const struct contract_kind aave_pool;

#endif
