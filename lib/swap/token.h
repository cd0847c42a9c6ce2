/* Tokens as agents name them, by symbol or contract address, and how they are shown. */
#ifndef SWAP_TOKEN_H
#define SWAP_TOKEN_H

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "model/execution.h"
#include "service/ctx.h"

/* E_TOKEN_UNKNOWN with both names filled in, and the choices where several listed ones have the symbol; or
 * E_UPSTREAM when the chain had to be asked and did not answer.
 */
const struct err *token_resolve(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                const char *text, struct token_ref *out);

/* The label of a token. A contract's maker chooses its symbol: one that passes for a listed token, or hides
 * its nature, is shown by the ends of its address and called unverified. */
struct token_label {
    char symbol[33];
    bool listed;     /* the chain's table has it, under this symbol */
    bool unverified; /* shown as "0x1234…abcd" */
};
struct token_label token_label(const struct token_ref *t);

#endif
