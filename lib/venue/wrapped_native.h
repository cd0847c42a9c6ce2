/* The wrapped form of a chain's coin (WETH9 and its kin): one for one, without fee or price. */
#ifndef VENUE_WRAPPED_NATIVE_H
#define VENUE_WRAPPED_NATIVE_H

#include "base/buf.h"
#include "codec/u256.h"
#include "venue/contracts.h"

void wrapped_native_deposit(struct buf *out); /* the amount is the transaction's value */
void wrapped_native_withdraw(struct buf *out, struct u256 amount);

extern const struct contract_kind wrapped_native_contract;

#endif
