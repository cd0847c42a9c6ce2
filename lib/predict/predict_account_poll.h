/* A poll of a wallet's orders at the prediction venue (orders/account_poll.h): the list comes a page at a
 * time, and trades are asked for if an order was matched and is not settled. */
#ifndef PREDICT_PREDICT_ACCOUNT_POLL_H
#define PREDICT_PREDICT_ACCOUNT_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/order.h"
#include "model/predict_account.h"
#include "orders/account_poll.h"
#include "predict/clob_orders.h"
#include "predict/clob_private.h"
#include "predict/predict_order_verdict.h"

enum { UNKNOWN_ORDERS_MAX = 16 };

/* One order, and what the poll shows of it. */
struct order_poll {
    const struct order *order;
    struct order_fills fills; /* the stored ones, at first */
    struct order_observation observation;
};

struct predict_account_poll {
    struct account_poll poll;
    /* what to look at */
    struct predict_account *account;
    struct clob_credentials credentials;
    struct order_poll *orders;
    unsigned count;
    /* what it shows besides */
    struct clob_order unknown_orders[UNKNOWN_ORDERS_MAX]; /* orders in the list that are none of these */
    unsigned unknown_order_count;
    bool list_failed; /* the list of resting orders is incomplete */
    bool denied;      /* the venue does not take the credentials */
    /* its own */
    unsigned pages;
    int64_t trades_since_ms;
};

/* Sets the observations of its orders to silence. */
void predict_account_poll_init(struct predict_account_poll *l);

/* As orders/follower.h has them. */
void predict_poll_lists(struct account_poll *l);
void predict_poll_orders(struct account_poll *l);
void predict_poll_trades(struct account_poll *l);
void predict_account_poll_read(const struct poll_call *c);

#endif
