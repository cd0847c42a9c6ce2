/* A market as operations need it: what does not change of it, by the id or the token that an agent names. */
#ifndef LEND_PLACE_H
#define LEND_PLACE_H

#include "base/arena.h"
#include "base/err.h"
#include "model/execution.h"
#include "service/ctx.h"
#include "venue/contracts.h"
#include "venue/morpho_calls.h"

struct lend_place {
    const struct chain *chain;
    const char *id, *protocol;
    const struct contract *lender;       /* whom its wallets call */
    struct token_ref loan;               /* what is lent */
    struct token_ref collateral;         /* Morpho's; chain 0: it cannot be moved */
    bool can_be_collateral;              /* Aave's loan token */
    struct evm_addr a_token, debt_token; /* Aave's, of the wallet's balances */
    struct morpho_market terms;
    uint8_t market[HASH_LEN]; /* Morpho's id */
};

/* The agent's name for it: the id, or for Aave the chain, by key or id, and the token. */
struct lend_named {
    const char *market, *chain, *asset;
    uint64_t chain_id;
};

/* In the arena. E_REQUIRED, E_CHAIN_UNKNOWN, E_LEND_CHAIN, E_TOKEN_UNKNOWN, E_MARKET_NOT_FOUND, E_UPSTREAM.
 */
const struct err *lend_place_find(const struct ctx *ctx, struct arena *a, const struct lend_named *named,
                                  struct lend_place *out);
bool lend_place_is_morpho(const struct lend_place *p);

#endif
