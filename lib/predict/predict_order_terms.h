/* The terms of an agent's order: read from its texts, and compared with the rules of its market. Pure. */
#ifndef PREDICT_PREDICT_ORDER_TERMS_H
#define PREDICT_PREDICT_ORDER_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/order.h"
#include "predict/outcome_token.h"

/* The least time until the end of an order that has one. */
enum { ORDER_GTD_AHEAD_MS = 180 * 1000 };

/* An order as it was written; type and expiration may be NULL. */
struct order_in {
    const char *token, *side, *price, *size, *type, *expiration;
    bool post_only;
};

/* NULL, or what of a price or of a size can be told to be wrong without its market. */
const char *order_price_fault(const char *price);
const char *order_size_fault(const char *size);

/* Sets side, type, post_only, price, size and expires_ms; the size and the price have no fault. A price that
 * is no multiple of any tick is 0. NULL, or the refusal. */
const struct err *order_terms_read(struct arena *a, const struct order_in *in, int64_t now_ms,
                                   struct order *out);
/* The tick, the least size, and whether the market takes orders; sets what the order needs to know of its
 * token, and fee_most. NULL, or the refusal. */
const struct err *order_terms_check(struct arena *a, const struct predict_token *t, struct order *o);
/* The most that its fills may cost in addition to their price: nothing of a sale, whose proceeds pay it, or
 * of one that rests. The fee of money that is spent is the more the lower the price, so that it counts all
 * prices down to the tick. False when it does not fit. */
MUST_CHECK bool order_fee_most(uint64_t *out, const struct clob_market *rules, const struct order *o);

#endif
