/* The tokens that each chain lists: those of the specification, and further ones added with care. */
#ifndef CHAIN_TOKENS_H
#define CHAIN_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "model/execution.h"

enum { TOKEN_SYMBOL_MAX = 32 };

struct token {
    const char *chain; /* key */
    const char *symbol;
    const char *name;
    uint8_t decimals;
    const char *address_text; /* EIP-55, the zero address for the coin; on Solana a mint, for the coin that of
                                 wrapped SOL */
    bool wrapped_native;
    bool connector;   /* worth trying as the middle of a two-hop route */
    bool stable;      /* follows the dollar: the 0.01 % tier is worth asking, and one stands for another */
    bool at_par;      /* no pool has it: its issuer pays a dollar for it at any time */
    bool reset_first; /* approve refuses to change a non-zero allowance (Tether on Ethereum) */
};

extern const struct token tokens[];
extern const size_t tokens_count;

/* By symbol (any case, POL and WPOL as aliases on polygon) or address. NULL when unknown. */
const struct token *token_find(const struct chain *c, const char *text);
/* The look of a symbol, without letter case, punctuation, and digits that look like letters: the same for
 * symbols that could be mistaken for each other. */
void token_symbol_skeleton(char out[static TOKEN_SYMBOL_MAX + 1], const char *symbol);
/* Whether a symbol could be mistaken for that of a listed token of the chain. */
bool token_symbol_passes(const struct chain *c, const char *symbol);
/* The listed token at the address of `t`, under any symbol of `t`. NULL when unknown. */
const struct token *token_known(const struct token_ref *t);
const struct token *token_by_addr(const struct chain *c, struct evm_addr a);
const struct token *token_wrapped_native(const struct chain *c);
/* The dollar token in which `t` is priced: USDC; for USDC itself the chain's next dollar. NULL: none. */
const struct token *token_dollar(const struct chain *c, const struct token *t);
bool token_is_native(const struct token *t);
/* Whether a whole unit of the one is worth as much as one of the other, as far as can be told without a
 * price: both are dollars, or forms of one coin, be they on two chains. */
bool token_is_worth(const struct token *t, const struct token *other);
/* The same for two tokens of one chain. */
bool token_equivalent(const struct token *t, const struct token *other);
/* Whether both are one asset, such as the dollar of one issuer, be they on two chains. */
bool token_is_same(const struct token *t, const struct token *other);
/* The dollars that an amount counts for, with 18 places, independent of its price: a dollar's token is worth
 * a dollar. 0: it is no dollar. */
struct u256 token_dollars(const struct token_ref *t, struct u256 amount);
struct token_ref token_ref_of(const struct token *t);
struct evm_addr token_addr(const struct token *t);

#endif
