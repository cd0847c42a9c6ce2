/* The kind of execution that places an order. */
#ifndef PREDICT_PREDICT_ORDER_KIND_H
#define PREDICT_PREDICT_ORDER_KIND_H

#include "exec/kind.h"
#include "model/order.h"

/* An order with all that is known of its trades. */
struct order_shown {
    struct order order;
    const struct fill *fills;
    size_t fill_count;
};

/* Adds the trades to up to FILLS_ORDERS_MAX orders. False when the database failed. */
bool orders_read_fills(struct db *db, struct arena *a, struct order_shown *orders, size_t n);
/* "BUY 20 Yes at 0.4: open, 10 filled", in the arena; of one that spends, both shares and dollars. */
const char *order_text(struct arena *a, const struct order *o);

/* What its `read` reads is a struct order_shown. */
extern const struct exec_kind predict_order_kind;
bool order_moved(struct db *db, const struct execution_move *moves, size_t n);

#endif
