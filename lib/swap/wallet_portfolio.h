/* Balances of wallets, the native coins and listed tokens of every chain that has a node, and their worth. No
 * database. */
#ifndef SWAP_WALLET_PORTFOLIO_H
#define SWAP_WALLET_PORTFOLIO_H

#include "base/arena.h"
#include "exec/holdings.h"
#include "model/wallet.h"
#include "service/ctx.h"

enum { PORTFOLIO_MAX_WALLETS = 100 };

/* `only` restricts it to one chain; NULL: all. At most PORTFOLIO_MAX_WALLETS. */
void portfolio_read(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                    const struct chain *only, struct holdings *out);
/* Balances alone. */
void portfolio_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                        const struct chain *only, struct holdings *out);
/* The worth of listed tokens that have no price yet. */
void portfolio_value_listed(const struct ctx *ctx, struct arena *a, struct holding *const *list,
                            size_t count);
/* The same for answers that decide nothing: where a token's own chain
 * gives no price, that of its symbol on other chains stands in. */
void portfolio_value_shown(const struct ctx *ctx, struct arena *a, struct holding *const *list, size_t count);
/* portfolio_read with these tokens too, which no price is known of: what a symbol is worth elsewhere says
 * nothing of a token that is not listed. */
void portfolio_read_with(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                         const struct token *also, size_t also_count, struct holdings *out);

#endif
