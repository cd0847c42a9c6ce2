/* The decimals of tokens that no list has: what was said of them first is kept, and holds. */
#ifndef OPERATOR_DECIMALS_H
#define OPERATOR_DECIMALS_H

#include "operator/operator.h"

struct kept_decimals {
    const char *chain, *token;
    unsigned decimals;
    int64_t since_ms;
};

/* The stored decimals of the token at this address; in the arena. */
const char *operator_decimals(const struct ctx *ctx, struct arena *a, const char *chain, const char *address,
                              struct kept_decimals *out);
/* Nothing from now on: what the chain's nodes say at the next quote is kept in its place. */
const char *operator_forget_decimals(const struct ctx *ctx, struct arena *a, const char *chain,
                                     const char *address);

#endif
