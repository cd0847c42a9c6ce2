/* What wallets hold: the native coins and listed tokens of every chain that has a node, all chains asked at
 * once, and what that is worth. No database. */
#ifndef SWAP_PORTFOLIO_H
#define SWAP_PORTFOLIO_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "model/wallet.h"
#include "service/ctx.h"

enum { PORTFOLIO_MAX_WALLETS = 100 };

struct holding {
    const struct chain *chain;
    const struct token *token;
    const char *wallet; /* its address */
    struct amount balance;
    bool priced;
    struct amount usd; /* then: its worth, RATE_PLACES */
};

struct portfolio {
    struct holding *held; /* in the arena: by chain, wallet and token; nothing that is zero */
    size_t count;
    const struct chain **unread; /* chains of which not everything could be read */
    size_t unread_count;
    struct amount total; /* in dollars, of what is priced */
};

/* `only` restricts it to one chain; NULL: all. At most PORTFOLIO_MAX_WALLETS. */
void portfolio_read(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                    const struct chain *only, struct portfolio *out);

#endif
