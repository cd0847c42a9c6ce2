/* Naming a token: by symbol, or by contract address, also one that no table knows. */
#ifndef SWAP_TOKEN_H
#define SWAP_TOKEN_H

#include "chain/chains.h"
#include "core/arena.h"
#include "core/ctx.h"
#include "core/err.h"
#include "model/swap.h"

/* E_TOKEN_UNKNOWN with both names filled in, or E_UPSTREAM when the chain had to be asked and did not answer.
 */
const struct err *token_resolve(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                const char *text, struct swap_token *out);

#endif
