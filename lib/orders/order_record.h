/* Records the consequences of a poll of an order at any venue, inside the transaction of the poll. */
#ifndef ORDERS_ORDER_RECORD_H
#define ORDERS_ORDER_RECORD_H

#include "model/order.h"
#include "store/events.h"

/* The progress of an order. */
struct order_progress {
    enum order_status status;
    uint64_t filled;
};

/* Sets the part of it that policies count: only the filled part of `whole` if it has ended; all of it if it
 * rests after all. False when the database failed. */
bool order_spend_record(struct db *db, uint64_t execution_id, struct order_progress was,
                        struct order_progress now, uint64_t whole);
/* Records all `n` events. False when the database failed. */
bool order_events_record(struct db *db, const struct event_draft *events, size_t n);

#endif
