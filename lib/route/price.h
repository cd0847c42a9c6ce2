/* What a token is worth in dollars: what the pools pay for it now, else what the operator's price feed says.
 * A price is an integer: dollars for one whole unit of the token, with RATE_PLACES decimals. */
#ifndef ROUTE_PRICE_H
#define ROUTE_PRICE_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "service/ctx.h"

enum price_state {
    PRICE_UNKNOWN,     /* no such symbol is known */
    PRICE_UNAVAILABLE, /* the symbol is known, but its source is missing or did not answer */
    PRICE_KNOWN,
};

struct price {
    const char *symbol; /* in capitals, in the arena */
    enum price_state state;
    struct amount usd;
    bool has_change;
    bool change_minus;
    struct amount change_24h; /* per cent, without its sign */
    /* where it comes from */
    const struct chain *chain; /* of the pools; NULL: no chain with pools and a node lists it */
    const struct token *token;
    int feed; /* index among the feed's coins, -1 when the feed does not have it */
    /* for decisions that rest on it: the pools' recent average is asked for too */
    bool wants_bounds;
    bool has_bounds;         /* then: some source cannot be moved within a block */
    bool apart;              /* its sources differ by more than price_divergence_max */
    struct amount low, high; /* of all sources */
};

/* What is to be priced, by symbol: on the first chain of the table that lists it and has pools and a node, so
 * on ethereum where possible. BTC means WBTC. */
struct price price_of_symbol(const struct ctx *ctx, struct arena *a, const char *symbol);
/* The token on the chain where it is held, if that has pools and a node; else as by its symbol. */
struct price price_of_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct token *t);

/* Fills in state and figures of all of them: all sources are asked at once, under one deadline. */
void prices_ask(const struct ctx *ctx, struct arena *a, struct price *list, size_t n);

/* Every known symbol once, in capitals; in the arena, ended by NULL. */
const char **price_symbols(const struct ctx *ctx, struct arena *a);

#endif
