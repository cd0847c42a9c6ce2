/* Tokens on Solana by their mints. */
#ifndef EXEC_SOLANA_SOLANA_TOKEN_H
#define EXEC_SOLANA_SOLANA_TOKEN_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. A mint has no symbol of its own that could be trusted: it goes by its address. */
const struct err *solana_describe_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const char *address, struct token_ref *out, unsigned *told);
bool solana_token_decimals(const struct ctx *ctx, struct arena *a, const struct chain *c,
                           const char *const *addresses, size_t count, int *out);

#endif
