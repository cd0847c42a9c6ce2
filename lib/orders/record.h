/* What follows from a look at an order at any venue, inside the transaction that records it. */
#ifndef ORDERS_RECORD_H
#define ORDERS_RECORD_H

#include "model/order.h"
#include "store/events.h"

/* How far an order has got. */
struct order_progress {
    enum order_status status;
    uint64_t filled;
};

/* What policies have counted of it: of one that has ended only what was filled, of `whole`; all of one that
 * rests after all. False when the database failed. */
bool order_spend_record(struct db *db, uint64_t execution_id, struct order_progress was,
                        struct order_progress now, uint64_t whole);
/* Records all `n` events. False when the database failed. */
bool order_events_record(struct db *db, const struct event_draft *events, size_t n);

#endif
