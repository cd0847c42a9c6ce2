/* Orders for perpetuals as agents and events see them. */
#ifndef PERPS_PERPS_ORDER_VIEW_H
#define PERPS_PERPS_ORDER_VIEW_H

#include "base/json_writer.h"
#include "model/perps_order.h"

/* The members of one, with what stands behind it. */
void perps_order_view(struct json_writer *w, const struct perps_order *o);
/* "long 0.5 ETH-USD at 3000: open, 0.2 filled at 2999.5", in the arena. */
const char *perps_order_text(struct arena *a, const struct perps_order *o);
/* The words after "at" in such a text: the price of a limit order, "the market" for a market order, whose
 * price is the worst that it allows, and which is told as such until something is filled. */
const char *perps_price_words(struct arena *a, bool is_market, bool is_filled, const char *price);
/* The members of a trade and of a payment. */
void perps_fill_view(struct json_writer *w, const struct perps_fill *f);
void perps_payment_view(struct json_writer *w, const struct perps_payment *p);

#endif
