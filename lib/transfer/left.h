/* The amount of a transfer of a wallet's whole balance. */
#ifndef TRANSFER_LEFT_H
#define TRANSFER_LEFT_H

#include "base/err.h"
#include "exec/chain_ops.h"
#include "store/transactions.h"

/* All of what leaves that no transaction in progress may still take, for the coin less the fees. E_BALANCE
 * when nothing is left; E_GAS when the coin does not pay the fees. */
const struct err *transfer_left(const struct plan *p, const struct chain_state *st,
                                const struct reservation *r, struct u256 *amount);

#endif
