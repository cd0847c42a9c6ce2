/* What a token is worth in dollars: what the pools pay for it now, else what the operator's price feed says.
 * All integers; a price is units of the dollar for one unit of the token, with RATE_PLACES places. */
#ifndef ROUTE_PRICE_H
#define ROUTE_PRICE_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "service/ctx.h"

enum price_state {
    PRICE_UNKNOWN,     /* nobody here knows such a symbol */
    PRICE_UNAVAILABLE, /* known, but its source is missing or did not answer */
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
    const struct chain *chain; /* of the pools; NULL: none is listed where there are pools and a node */
    const struct token *token;
    int feed; /* place among the feed's coins, -1 when it has none */
    /* for whom nobody shall be able to move it: asks for the pools' average of late, too */
    bool wants_bounds;
    bool has_bounds;         /* then: there is a price that nobody moves in a moment */
    bool apart;              /* its sources differ by more than price_divergence_max */
    struct amount low, high; /* of all sources */
};

/* Names what is to be priced, by symbol: on the first chain that lists it, has pools and has a node, in the
 * order of the table, so on ethereum when it can be. BTC is taken for WBTC. */
struct price price_of_symbol(const struct ctx *ctx, struct arena *a, const char *symbol);
/* The same token where it is held, if that chain has pools and a node; else as by its symbol. */
struct price price_of_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct token *t);

/* Fills in state and figures of all of them, everybody asked at once under one deadline. */
void prices_ask(const struct ctx *ctx, struct arena *a, struct price *list, size_t n);

/* Every symbol that is not unknown, in capitals and once, in the arena, ending with NULL. */
const char **price_symbols(const struct ctx *ctx, struct arena *a);

#endif
