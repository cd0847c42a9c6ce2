/* Applies the moves of executions that place orders to these: exec/kind.h's `moved`. */
#ifndef ORDERS_MOVED_H
#define ORDERS_MOVED_H

#include "model/order.h"
#include "store/executions.h"

/* An order is open once the venue has taken it, and rejected once it never will; what policies have counted
 * of it follows. False when the database failed. */
bool orders_moved(struct db *db, enum order_venue venue, const struct execution_move *moves, size_t n);

#endif
