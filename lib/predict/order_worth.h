/* The spend facts of an order from its wallet, as policies count it: smallest units of collateral. */
#ifndef PREDICT_ORDER_WORTH_H
#define PREDICT_ORDER_WORTH_H

#include <stdbool.h>

#include "codec/u256.h"
#include "model/order.h"

/* BUY: the cost, and `fee_most` that it may cost beyond. SELL: the shares at the price or at the book's
 * midpoint (a decimal, NULL: unknown), whichever is more, rounded up; false without a midpoint, for the
 * price is only what the agent says. */
MUST_CHECK bool order_worth(struct u256 *out, const struct order *o, const char *midpoint);

#endif
