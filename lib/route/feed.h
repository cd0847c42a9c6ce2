/* The operator's price feed: its last answer, which each worker keeps for a while because feeds limit how
 * often they may be asked. A feed that is silent is left alone for a moment, so that it slows no request
 * down. */
#ifndef ROUTE_FEED_H
#define ROUTE_FEED_H

#include "chain/chains.h"
#include "model/execution.h"
#include "net/call.h"
#include "route/price_feed.h"
#include "service/ctx.h"

bool feed_configured(const struct ctx *ctx);
/* Makes a call to the feed when it is time to ask again; false when it is not, or there is none. After the
 * call has ended, feed_keep takes the answer and frees it. */
bool feed_ask(struct call *call, const struct ctx *ctx, struct arena *a);
void feed_keep(struct call *call);
/* Asks, and waits for the answer, when it is time. */
void feed_refresh(const struct ctx *ctx, struct arena *a);

/* The last answer about a coin by its index (feed_find); NULL when there is none. */
const struct feed_price *feed_price(int coin);
/* Dollars for one unit of a token, RATE_PLACES; false when the feed does not know it. */
bool feed_usd(const struct ctx *ctx, const struct token_ref *t, struct amount *usd);

#endif
