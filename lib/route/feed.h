/* The operator's price feed: its last answer, a worker's own, since a feed counts its callers' requests. A
 * feed that is silent is left alone for a moment, so that it does not slow everybody down. */
#ifndef ROUTE_FEED_H
#define ROUTE_FEED_H

#include "chain/chains.h"
#include "model/execution.h"
#include "net/call.h"
#include "route/price_feed.h"
#include "service/ctx.h"

bool feed_configured(const struct ctx *ctx);
/* Makes a call of the feed when it is time to ask again; false when it is not, or there is none. What came of
 * it belongs to feed_keep, which frees the call. */
bool feed_ask(struct call *call, const struct ctx *ctx, struct arena *a);
void feed_keep(struct call *call);
/* Asks by itself when it is time. */
void feed_refresh(const struct ctx *ctx, struct arena *a);

/* The last answer about a coin by its place (feed_find); NULL when there is none. */
const struct feed_price *feed_price(int coin);
/* Dollars for one of a token, RATE_PLACES; only what the tables know has a price there. */
bool feed_usd(const struct ctx *ctx, const struct token_ref *t, struct amount *usd);

#endif
