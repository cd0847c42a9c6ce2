/* The tokens each chain's table knows: the specification's list and what was added with care. */
#ifndef CHAIN_TOKENS_H
#define CHAIN_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chain/chains.h"
#include "chain/evm/addr.h"
#include "model/execution.h"

enum { TOKEN_SYMBOL_MAX = 32 };

struct token {
    const char *chain; /* key */
    const char *symbol;
    const char *name;
    uint8_t decimals;
    const char *address_text; /* EIP-55; the zero address for the native coin */
    bool wrapped_native;
    bool connector;   /* worth trying as the middle of a two-hop route */
    bool stable;      /* follows the dollar: the 0.01 % tier is worth asking */
    bool reset_first; /* approve refuses to change a non-zero allowance (Tether on Ethereum) */
};

extern const struct token tokens[];
extern const size_t tokens_count;

/* By symbol (any case, POL and WPOL as aliases on polygon) or address. NULL when unknown. */
const struct token *token_find(const struct chain *c, const char *text);
/* Whether a symbol passes for that of one of the chain's tokens: letter case, signs, and digits that look
 * like letters aside. */
bool token_symbol_passes(const struct chain *c, const char *symbol);
/* What the table has at the address of `t`; its symbol counts for nothing. NULL when unknown. */
const struct token *token_known(const struct token_ref *t);
const struct token *token_by_addr(const struct chain *c, struct evm_addr a);
const struct token *token_wrapped_native(const struct chain *c);
/* What `t` is counted in: USDC; for USDC itself the next dollar that the chain has. NULL: none. */
const struct token *token_dollar(const struct chain *c, const struct token *t);
bool token_is_native(const struct token *t);
struct evm_addr token_addr(const struct token *t);

#endif
