/* The worth of a token in dollars: by the source of its family, which are the pools on EVM chains and
 * Jupiter's price service on Solana, else by the operator's price feed (price_source.h, feed.h). A price is
 * an integer: dollars for one whole unit of the token, with RATE_PLACES decimals. */
#ifndef ROUTE_PRICE_H
#define ROUTE_PRICE_H

#include "base/arena.h"
#include "chain/chains.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "model/execution.h"
#include "net/call.h"
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
    const struct chain *chain; /* that is asked; NULL: none with a source and a node lists it */
    const struct token *token;
    int feed; /* index among the feed's coins, -1 when the feed does not have it */
    /* for decisions that rest on it: recent averages of pools are asked for too */
    bool wants_bounds;
    unsigned sources;        /* then: so many have said it */
    bool firm;               /* some of them cannot be moved within a block */
    bool has_bounds;         /* there are two at least, and it is firm: one alone decides nothing */
    bool apart;              /* its sources differ by more than price_divergence_max */
    struct amount low, high; /* of all sources */
};

/* The token to be priced, by symbol: on the first chain of the table that lists it and has a source and a
 * node, so on ethereum where possible. BTC means WBTC. */
struct price price_of_symbol(const struct ctx *ctx, struct arena *a, const char *symbol);
/* The token on the chain where it is held, if that has a source and a node; else as by its symbol. */
struct price price_of_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct token *t);

/* Fills in state and figures of all of them: all sources are asked at once, under one deadline. */
void prices_ask(const struct ctx *ctx, struct arena *a, struct price *list, size_t n);

/* Whether all that limits go by there is the word of one node, or of one service. */
bool price_has_one_source(const struct ctx *ctx, const struct chain *c);

/* The cached price of a token, its family's before the feed's, without a request. False: there is none. */
bool price_last(const struct ctx *ctx, const struct token_ref *t, struct amount *usd);

/* Calls that renew what is kept, together with others that are made anyway. */
enum { PRICE_RENEWALS_MAX = 4 };
struct price_renewal {
    struct call *calls;
    void (*keep[PRICE_RENEWALS_MAX])(struct call *call);
    size_t count; /* at most PRICE_RENEWALS_MAX */
};
/* Each makes one more where it is time: the feed's, and that of the chain's family (price_source.h). */
void price_renew_feed(struct price_renewal *r, const struct ctx *ctx, struct arena *a);
void price_renew_chain(struct price_renewal *r, const struct ctx *ctx, struct arena *a, const struct chain *c,
                       bool needed);
/* After they have ended: takes the answers and frees them. */
void price_renewed(const struct price_renewal *r);

/* Every known symbol once, in capitals; in the arena, ended by NULL. */
const char **price_symbols(const struct ctx *ctx, struct arena *a);

#endif
