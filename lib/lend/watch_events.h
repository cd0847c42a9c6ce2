/* The events of watched wallets, as they are sent. Pure. */
#ifndef LEND_WATCH_EVENTS_H
#define LEND_WATCH_EVENTS_H

#include "lend/watch.h"

#define EVENT_LEND_LOW        "lend.health.low"
#define EVENT_LEND_LIQUIDATED "lend.liquidated"

/* The subject of an event: the wallet, and its state. */
struct lend_watched {
    const struct chain *chain;
    const struct lend_watch *watch;
    const struct lend_account *account; /* NULL: it has nothing there */
    const struct lend_book *book;       /* where the markets are that something was taken in */
};

/* Bodies, in the arena; NULL when one cannot be written. */
const char *lend_low_body(struct arena *a, const struct lend_watched *x, uint32_t alert);
const char *lend_log_body(struct arena *a, const struct lend_watched *x, const struct lend_liquidation *l);
const char *lend_loss_body(struct arena *a, const struct lend_watched *x, const struct lend_loss *l);

#endif
