/* Finds the money that a call lacks: on another chain, as the default chain may not be the one that has it,
 * or in a deposit that has not ended. */
#ifndef EXEC_ELSEWHERE_H
#define EXEC_ELSEWHERE_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "model/execution.h"
#include "service/ctx.h"

/* "; it has 100 ETH on base, 2 ETH on optimism: name that chain, or bridge from it", of the wallet at
 * `address` and listed tokens with that symbol, bridged ones such as USDC.e among them; "" where no chain but
 * `here` shows any. Asks the family's chains once, so never inside a transaction. */
const char *elsewhere_text(const struct ctx *ctx, struct arena *a, const char *address,
                           const struct chain *here, const char *symbol);
/* The refusal `e` of a want of balance or gas, with that text behind its hint; `e` itself where there is
 * none. */
const struct err *elsewhere_explain(const struct ctx *ctx, struct arena *a, const char *address,
                                    const struct chain *here, const char *symbol, const struct err *e);
/* The refusal of a wallet that has none of the token on the chain. */
const struct err *elsewhere_none(const struct ctx *ctx, struct arena *a, const char *address,
                                 const struct chain *here, const char *symbol);
/* The refusal `e` of a want of money at a venue, with a hint that names the agent's newest deposit of that
 * kind which has not ended; `e` itself where there is none. `path` is where transfers are shown, up to the
 * id. */
const struct err *elsewhere_deposit(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                    enum exec_kind_id kind, const char *path, const struct err *e);

#endif
