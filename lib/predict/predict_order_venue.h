/* Polymarket's exchange as a venue of the engine: orders as signed requests. A request has been carried out
 * when the exchange has taken the order, be it that it rests or is matched; what becomes of it then is
 * followed by itself (predict/predict_account_poll.h). */
#ifndef PREDICT_PREDICT_ORDER_VENUE_H
#define PREDICT_PREDICT_ORDER_VENUE_H

#include "exec/venue.h"
#include "model/order.h"
#include "model/predict_account.h"
#include "predict/clob_private.h"

/* plan_request.order: everything but what tells it from others, which signing adds. */
struct order_request {
    const struct order *order; /* side, type, post_only, token, exchange, price, size, expires_ms */
    const struct predict_account *account;
    struct clob_credentials *credentials; /* the account's; forgotten when the venue does not take them */
};

extern const struct venue order_venue;

#endif
