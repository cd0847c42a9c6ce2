/* A poll of what a wallet has at the venue of perpetuals (orders/account_poll.h): with the orders that rest
 * the state of the account is asked for, and with trades, from time to time, what funding paid. */
#ifndef PERPS_PERPS_ACCOUNT_POLL_H
#define PERPS_PERPS_ACCOUNT_POLL_H

#include "orders/account_poll.h"
#include "perps/perps_order_verdict.h"
#include "store/perps_accounts.h"

/* One order, and what the poll shows of it. */
struct perps_order_poll {
    const struct perps_order *order;
    struct perps_observation observation;
    const char *cancel_signer; /* the key of the cancel that goes out; NULL: none does */
};

struct perps_account_poll {
    struct account_poll poll;
    /* what to look at */
    struct perps_due due;
    struct perps_order_poll *orders;
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
bool perps_order_poll_read(const struct perps_account_poll *l, struct perps_order_poll *o);
/* Fills in the orders from what is stored. False: the database failed. */
bool perps_account_poll_read(struct perps_account_poll *l);

/* As orders/follower.h has them. */
void perps_poll_lists(struct account_poll *l);
void perps_poll_orders(struct account_poll *l);
void perps_poll_trades(struct account_poll *l);
void perps_poll_heard(const struct poll_call *c);
/* All in one transaction. False: the database failed. */
bool perps_poll_record(struct account_poll *l);

#endif
