/* From a step of a plan to signed bytes, through the signer. */
#ifndef EXEC_EVM_SIGN_H
#define EXEC_EVM_SIGN_H

#include "base/arena.h"
#include "codec/hash.h"
#include "exec/plan.h"
#include "model/wallet.h"
#include "service/ctx.h"

/* What lets the signer sign a plain transfer: made where the operator's key is. */
struct operator_mac {
    void (*make)(uint8_t out[static HASH_LEN], void *arg, const struct wallet_ref *w, const uint8_t *tx,
                 size_t len);
    void *arg;
};

/* Fills nonce, fees, bytes, hash and what it spends; ids are the caller's. `by` NULL: nothing but what the
 * signer signs by its own rules. False when the signer is away or refuses (logged). The only call to another
 * process that may happen inside a database transaction. */
bool sign_step(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct chain *c,
               const struct fees *fees, uint64_t nonce, const struct step *s, const struct operator_mac *by,
               struct transaction *out);

/* The step of a stored transaction, read back from its signed bytes: the same call for another fee. */
bool step_of_tx(struct arena *a, const struct transaction *t, struct step *out);

/* A transfer of nothing to the wallet itself: takes a nonce so that nothing else can. `estimate` is what a
 * node says of its gas, 0 when none said anything: some chains charge for its data there too. */
struct step step_cancel(const char *wallet, uint64_t estimate);

/* At least an eighth more than what is there already, as nodes want for a replacement, and never below `now`.
 */
struct fees fees_bumped(struct u256 max_fee, struct u256 priority_fee, const struct fees *now);

#endif
