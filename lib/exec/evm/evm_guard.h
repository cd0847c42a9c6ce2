/* The last check before the signer's own: the very bytes to be signed are read back and compared with the
 * plan that they come from, so that no provider, no encoder and no bug between them can make a wallet sign
 * anything else. */
#ifndef EXEC_EVM_EVM_GUARD_H
#define EXEC_EVM_EVM_GUARD_H

#include "exec/plan.h"
#include "venue/trade.h"

/* NULL when the unsigned transaction is a step of the plan: an allowance of what leaves, to a listed spender,
 * or the trade, at a listed contract, for the plan's recipient, with the minimum that the plan promises, or
 * the transfer to that recipient; or, where nothing leaves, a redemption; of a loan, just that loan, and what
 * wraps or allows the lender what leaves. Otherwise why not, in a few words. */
const char *guard_check(const struct plan *p, struct trade_proof proof, const uint8_t *unsigned_tx,
                        size_t len);
/* The same of each step, before others sign them. */
const char *evm_guard_steps(const struct plan *p);
/* The deadline that the spending step's call bears, by which its contract goes; 0: it bears none. */
int64_t evm_refused_after(const struct plan *p);

#endif
