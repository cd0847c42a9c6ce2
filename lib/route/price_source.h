/* The source of a family's prices: one row for each family. Either each price is a question of its own, to
 * the pools, or one question is about all of the family's tokens, and its answer is kept for a while. */
#ifndef ROUTE_PRICE_SOURCE_H
#define ROUTE_PRICE_SOURCE_H

#include "net/call.h"
#include "route/price.h"
#include "route/price_feed.h"

enum { PRICE_CALLS_EACH = 3 };

/* A price in progress. */
struct price_query {
    struct price *price;
    void *own;                           /* of its source */
    const struct price_source *confirms; /* its only source, where that is compared with another one */
    void *opinion;                       /* then: that one's own */
};

struct price_source {
    enum chain_type type;
    /* Whether the token has a price there at all. */
    bool (*lists)(const struct ctx *ctx, const struct chain *c, const struct token *t);
    /* ask makes at most PRICE_CALLS_EACH calls and returns how many; after they have ended, read takes the
     * answers and frees them. NULL, both: the price is one that is kept. */
    size_t (*ask)(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls);
    void (*read)(struct price_query *x, struct arena *a);
    /* renew makes the call, where it is time and the service may be asked; `needed`: where nothing is kept,
     * its rate is no reason not to. After it has ended, keep takes the answer and frees it. last is the price
     * that is kept; false: none is. NULL, all three: nothing is kept. */
    bool (*renew)(struct call *call, const struct ctx *ctx, struct arena *a, bool needed);
    void (*keep)(struct call *call);
    bool (*last)(struct feed_price *out, const struct token *t);
    /* If limits depend on a price of a single source: confirm makes at most one call to another one, and
     * returns how many; after it has ended, confirmed takes the answer, adds its price, and frees it. NULL,
     * both: there is no other. */
    size_t (*confirm)(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls);
    void (*confirmed)(struct price_query *x, struct arena *a);
};

extern const struct price_source pool_prices, jupiter_prices;

/* NULL for a family without one. */
const struct price_source *price_source_of(const struct chain *c);

/* The price that a small trade against dollars has, by another service than the one that says prices
 * (price_trades.c): confirm and confirmed of price_source. */
size_t price_trade_ask(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls);
void price_trade_read(struct price_query *x, struct arena *a);
/* Whether the operator has such a service for the chain. Where there is none, trades of the price service
 * itself are used. */
bool price_has_trader(const struct ctx *ctx, const struct chain *c);
/* Before processes are forked: they share what any of them asked for. */
void price_trades_share(void);

/* One more source's price of the same token; `firm` when no trade within a block moves it. */
void price_add(struct price *p, struct amount usd, bool firm);

#endif
