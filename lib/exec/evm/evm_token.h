/* Tokens of EVM chains that are not compiled in. */
#ifndef EXEC_EVM_EVM_TOKEN_H
#define EXEC_EVM_EVM_TOKEN_H

#include "exec/chain_ops.h"

/* As exec/chain_ops.h says. */
const struct err *evm_describe_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const char *address, struct token_ref *out, unsigned *told);

bool evm_token_decimals(const struct ctx *ctx, struct arena *a, const struct chain *c,
                        const char *const *addresses, size_t count, int *out);

#endif
