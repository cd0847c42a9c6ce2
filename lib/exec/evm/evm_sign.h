/* From a step of a plan to signed bytes, through the signer. */
#ifndef EXEC_EVM_EVM_SIGN_H
#define EXEC_EVM_EVM_SIGN_H

#include "base/arena.h"
#include "exec/chain_ops.h"
#include "service/ctx.h"

/* As exec/chain_ops.h says. */
bool evm_sign(const struct ctx *ctx, struct arena *a, const struct signing *in, struct transaction *out);

/* The step of a stored transaction, read back from its signed bytes, to sign the same call with another fee.
 */
bool step_of_tx(struct arena *a, const struct transaction *t, struct step *out);

/* A transfer of nothing to the wallet itself: uses up a nonce, so that nothing else can. `estimate` is a
 * node's estimate of its gas, which includes what some chains charge for data; 0: none. */
struct step step_cancel(const struct chain *c, const char *wallet, uint64_t estimate);

/* At least an eighth more than the fees of before, as nodes demand of a replacement, and never below `now`.
 */
struct fees fees_bumped(struct u256 max_fee, struct u256 priority_fee, const struct fees *now);

#endif
