/* Polymarket's exchange as a venue of the engine: orders as signed requests. A request has been carried out
 * when the exchange has taken the order, be it that it rests or is matched; what becomes of it then is
 * followed by itself (predict/order_look.h). */
#ifndef PREDICT_ORDER_VENUE_H
#define PREDICT_ORDER_VENUE_H

#include "exec/venue.h"
#include "model/order.h"
#include "model/predict_account.h"
#include "predict/clob_private.h"

/* plan_request.order: everything but what tells it from others, which signing adds. */
struct order_request {
    const struct order *order; /* side, type, post_only, token, exchange, price, size, expires_ms */
    const struct predict_account *account;
    const char *owner; /* the account's API key */
};

extern const struct venue order_venue;

/* The account of a wallet that has traded. False when the database failed, or it has none. */
bool order_account(const struct ctx *ctx, uint64_t wallet_id, struct predict_account *out);

/* What the exchange answers to a cancel of the order. */
enum order_cancelled {
    CANCEL_SILENT, /* nothing that can be relied on */
    CANCEL_DONE,   /* it was cancelled */
    CANCEL_ENDED,  /* it does not rest: matched or cancelled before, or never taken */
};
bool order_ask_cancel(struct call *call, const struct ctx *ctx, struct arena *a,
                      const struct predict_account *p, const struct clob_credentials *c,
                      const uint8_t hash[static HASH_LEN]);
/* Pure. */
enum order_cancelled order_read_cancel(const struct call *call, struct arena *a,
                                       const uint8_t hash[static HASH_LEN]);

#endif
