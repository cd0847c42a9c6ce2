/* Emptying a managed wallet to an address, by the operator's order. Each transfer is an execution: it has a
 * nonce of its own, is stored before it is sent, and is followed to its end. One that was cut off is not
 * lost; done again, a sweep takes what remains in addition to what is in progress. */
#ifndef TRANSFER_SWEEP_H
#define TRANSFER_SWEEP_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/kind.h"
#include "model/execution.h"
#include "model/wallet.h"
#include "service/ctx.h"

extern const struct exec_kind sweep_kind;

struct sweep {
    const struct ctx *ctx;
    struct arena *arena;
    const struct wallet *wallet;
    const char *to; /* as the family of the chain writes it */
    const struct operator_mac *operator_mac;
};

/* One token, or the chain's coin less the fees that it needs: all that no transaction in progress may still
 * take. `held` is what was seen of it, for the simulation. E_BALANCE when nothing is left; E_GAS when the
 * coin does not pay the fees. */
const struct err *sweep_token(const struct sweep *s, const struct chain *c, const struct token *t,
                              struct u256 held, struct execution *out);

#endif
