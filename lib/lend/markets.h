/* Lists of lending markets and single ones, as their chains show them; kept for a moment
 * (exec/cached_answer.h). */
#ifndef LEND_MARKETS_H
#define LEND_MARKETS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "exec/cached_answer.h"
#include "lend/chain_read.h"
#include "service/ctx.h"

/* The chain that a caller names by its key or alias, its id (0: not given), both or neither: then *out is
 * NULL, all. NULL, or E_CHAIN_UNKNOWN, E_LEND_CHAIN, E_VALIDATION when the two differ. */
const struct err *lend_chain_of(const struct ctx *ctx, struct arena *a, const char *key, uint64_t id,
                                const struct chain **out);

/* Those of a chain, or of all for NULL, largest supply first: an object of "markets" and "unavailable", in
 * the arena. E_UPSTREAM when the one chain cannot be read. */
const struct err *lend_markets(const struct ctx *ctx, struct arena *a, const struct chain *c,
                               const json_t **out);
/* The same for operations, each of which asks for them (cached_answer_often). */
const struct err *lend_markets_often(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const json_t **out);
/* A view of them: an object that `make` writes, as text in the arena, and cached like them. `part`
 * distinguishes it from other views. */
const struct err *lend_markets_shown(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const char *part, cache_fill *make, const void *what, const char **text);
/* One of them; E_MARKET_NOT_FOUND. */
const struct err *lend_market_find(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                   const char *id, const json_t **out);

/* A wallet's balances and debts on a chain, or on all for NULL, asked now: an object of "positions",
 * "accounts" and "unavailable". E_UPSTREAM when the one chain cannot be read. */
const struct err *lend_positions(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                 struct evm_addr wallet, const json_t **out);

/* The same as figures: what a wallet has and owes there; silent chains are named in *out. Nothing of a chain
 * without lenders. */
void lend_held(const struct ctx *ctx, struct arena *a, const struct chain *c, struct evm_addr wallet,
               struct lend_book *out);

/* Which of them are wanted; NULL: any. `asset` is a token by symbol or address. */
struct lend_filter {
    const char *protocol, *asset;
};
bool lend_market_is_wanted(const json_t *market, const struct lend_filter *f);

#endif
