/* An external price service, off unless the operator configures one: GET
 * <price_feed_url>?ids=…&vs_currencies=usd& include_24hr_change=true, answered as by CoinGecko's
 * /simple/price:
 *     {"ethereum":{"usd":2998.35,"usd_24h_change":-1.25},"bitcoin":{…}}
 * Numbers are read digit by digit, never through floating point. */
#ifndef ROUTE_PRICE_FEED_H
#define ROUTE_PRICE_FEED_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/amount.h"

struct feed_coin {
    const char *symbol; /* in capitals */
    const char *id;     /* in the feed */
};

extern const struct feed_coin feed_coins[];
extern const int feed_coins_count;

struct feed_price {
    bool has_usd;
    struct amount usd; /* RATE_PLACES */
    bool has_change;
    bool change_minus;
    struct amount change;
};

int feed_find(const char *symbol); /* in any case of letters; -1 when the feed has no such coin */
/* The whole URL: one request asks for all coins. */
char *feed_url(struct arena *a, const char *base);
/* One price, whose numbers are texts, from its members of these names. One that is absent, zero, negative,
 * beyond a billion dollars or no number at all is none. */
void feed_price_read(struct feed_price *out, const json_t *price, const char *usd, const char *change);
/* One entry per coin; false when the answer has another form. */
bool feed_read(struct feed_price *out, const struct buf *answer);

#endif
