/* A look at what a wallet has at the venue of perpetuals (orders/look.h): with the orders that rest the state
 * of the account is asked for, and with trades, from time to time, what funding paid. */
#ifndef PERPS_WALLET_LOOK_H
#define PERPS_WALLET_LOOK_H

#include "orders/look.h"
#include "perps/perps_order_verdict.h"
#include "store/perps_accounts.h"

/* One order, and what the look shows of it. */
struct perps_order_look {
    const struct perps_order *order;
    struct perps_observation observation;
    const char *cancel_signer; /* the key of the cancel that goes out; NULL: none does */
};

struct perps_wallet_look {
    struct orders_look look;
    /* what to look at */
    struct perps_due due;
    struct perps_order_look *orders;
    unsigned count;
    /* what it shows besides */
    struct perps_fill *fills;
    size_t fill_count;
    struct perps_page fills_page;
    struct perps_payment *payments;
    size_t payment_count;
    struct perps_page payments_page;
    struct perps_seen *listed; /* the whole list of what rests */
    size_t listed_count;
    bool has_positions;
    bool fills_asked, funding_asked; /* and answered */
};

/* Reads the stored data of its order. False: the database failed. */
bool perps_order_look_read(const struct perps_wallet_look *l, struct perps_order_look *o);
/* Fills in the orders from what is stored. False: the database failed. */
bool perps_wallet_look_read(struct perps_wallet_look *l);

/* As orders/follower.h has them. */
void perps_look_lists(struct orders_look *l);
void perps_look_orders(struct orders_look *l);
void perps_look_trades(struct orders_look *l);
void perps_look_heard(const struct look_call *c);
/* All in one transaction. False: the database failed. */
bool perps_look_record(struct orders_look *l);

#endif
