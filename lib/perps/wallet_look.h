/* A look at what wallets have at the venue: the list of the orders that rest, then each that was to be there
 * and is not, by itself; then the trades, if an order was filled, and from time to time what funding paid.
 * Cancels that are asked for go out first. */
#ifndef PERPS_WALLET_LOOK_H
#define PERPS_WALLET_LOOK_H

#include "perps/order_verdict.h"
#include "service/ctx.h"
#include "store/perps_accounts.h"

/* One order, and what the look shows of it. */
struct perps_order_look {
    const struct perps_order *order;
    struct perps_sight sight;
};

struct perps_wallet_look {
    /* what to look at */
    struct perps_due due;
    struct perps_order_look *orders;
    unsigned count;
    bool each_alone; /* no list is asked for */
    int64_t now_ms;  /* by the database's clock */
    /* what it shows */
    struct perps_fill *fills;
    size_t fill_count;
    struct perps_payment *payments;
    size_t payment_count;
    struct perps_seen *listed; /* the whole list of what rests */
    size_t listed_count;
    bool has_positions;
    bool fills_asked, funding_asked; /* and answered */
    bool silent;                     /* not everything was answered */
    int64_t retry_after_s;           /* that the venue asks for; 0: it does not */
};

/* What is stored of the order that it bears. False: the database failed. */
bool perps_order_look_read(const struct ctx *ctx, struct arena *a, const struct perps_wallet_look *l,
                           struct perps_order_look *o);
/* Fills in the orders from what is stored. False: the database failed. */
bool perps_wallet_look_read(const struct ctx *ctx, struct arena *a, struct perps_wallet_look *l);
/* Looks at `n` of them side by side. `deadline_ms` is that of each round of questions. */
void perps_wallets_look(const struct ctx *ctx, struct arena *a, struct perps_wallet_look *l, unsigned n,
                        unsigned deadline_ms);
/* Records all of it in one transaction. False: the database failed, or somebody else was faster. */
bool perps_wallet_look_record(const struct ctx *ctx, struct arena *a, struct perps_wallet_look *l);

#endif
