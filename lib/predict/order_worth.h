/* What an order takes out of its wallet, as policies count it: smallest units of collateral. */
#ifndef PREDICT_ORDER_WORTH_H
#define PREDICT_ORDER_WORTH_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/u256.h"
#include "venue/polymarket_order.h"

/* Price in ten-thousandths, size in hundredths of a share. BUY: the cost, and `fee_most` that it may cost
 * beyond. SELL: the shares at the price or at the book's midpoint (a decimal, NULL: nobody knows), whichever
 * is more, rounded up; false without a midpoint, for the price is only what the agent says. */
MUST_CHECK bool order_worth(struct u256 *out, enum polymarket_side side, uint32_t price, uint64_t size,
                            uint64_t fee_most, const char *midpoint);

#endif
