/* Tokens: what every ERC-20 contract understands. */
#ifndef VENUE_ERC20_H
#define VENUE_ERC20_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "venue/contracts.h"

void erc20_approve(struct buf *out, struct evm_addr spender, struct u256 amount);
void erc20_transfer(struct buf *out, struct evm_addr to, struct u256 amount);
void erc20_balance_of(struct buf *out, struct evm_addr owner);
void erc20_allowance(struct buf *out, struct evm_addr owner, struct evm_addr spender);
void erc20_decimals(struct buf *out);
void erc20_symbol(struct buf *out);

/* Any token: these are not listed. */
extern const struct contract_kind erc20_contract;

#endif
