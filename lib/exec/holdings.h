/* Balances of wallets. swap/portfolio adds their worth. */
#ifndef EXEC_HOLDINGS_H
#define EXEC_HOLDINGS_H

#include <stddef.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "model/amount.h"

struct holding {
    const struct chain *chain;
    const struct token *token;
    const char *wallet; /* its address */
    struct amount balance;
    bool priced;
    bool by_symbol;    /* then: the price is that of the symbol on other chains (portfolio_value_shown) */
    struct amount usd; /* then: its worth, RATE_PLACES */
};

struct holdings {
    /* set before they are read: tokens to look for in addition to those that are listed */
    const struct token *also;
    size_t also_count;
    /* read */
    struct holding *held; /* in the arena: by chain, wallet and token; nothing that is zero */
    size_t count;
    const struct chain **unread; /* chains of which not everything could be read */
    size_t unread_count;
    struct amount total; /* in dollars, of what is priced */
};

/* Makes room for so many more behind those that are held. */
void holdings_reserve(struct holdings *p, struct arena *a, size_t more);

#endif
