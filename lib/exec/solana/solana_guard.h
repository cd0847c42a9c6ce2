/* The guard of Solana, as exec/evm/evm_guard.h for EVM chains: the very bytes to be signed are read back and
 * compared with the plan that they come from. */
#ifndef EXEC_SOLANA_SOLANA_GUARD_H
#define EXEC_SOLANA_SOLANA_GUARD_H

#include "exec/plan.h"

/* NULL when each step is the trade that the plan is for: its input, its output to the wallet itself, at least
 * the plan's minimum; or the transfer that it is for, of exactly its input to its recipient. Otherwise why
 * not, in a few words. */
const char *solana_guard_steps(const struct plan *p);

#endif
