/* A look at a wallet's orders at the prediction venue (orders/look.h): the list comes a page at a time, and
 * trades are asked for if an order was matched and is not settled. */
#ifndef PREDICT_ORDER_LOOK_H
#define PREDICT_ORDER_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/order.h"
#include "model/predict_account.h"
#include "orders/look.h"
#include "predict/clob_orders.h"
#include "predict/clob_private.h"
#include "predict/predict_order_verdict.h"

enum { STRANGERS_MAX = 16 };

/* One order, and what the look shows of it. */
struct order_look {
    const struct order *order;
    struct order_fills fills; /* the stored ones, at first */
    struct order_observation observation;
};

struct wallet_look {
    struct orders_look look;
    /* what to look at */
    struct predict_account *account;
    struct clob_credentials credentials;
    struct order_look *orders;
    unsigned count;
    /* what it shows besides */
    struct clob_order strangers[STRANGERS_MAX]; /* orders in the list that are none of these */
    unsigned stranger_count;
    bool list_failed; /* the list of resting orders is incomplete */
    bool denied;      /* the venue does not take the credentials */
    /* its own */
    unsigned pages;
    int64_t trades_since_ms;
};

/* Sets the observations of its orders to silence. */
void wallet_look_init(struct wallet_look *l);

/* As orders/follower.h has them. */
void wallet_look_lists(struct orders_look *l);
void wallet_look_orders(struct orders_look *l);
void wallet_look_trades(struct orders_look *l);
void wallet_look_read(const struct look_call *c);

#endif
