/* Moves of orders at either venue, in that venue's table: it was taken, it was never taken, or it is to be
 * cancelled. All of it inside a transaction. */
#ifndef STORE_ORDER_STATES_H
#define STORE_ORDER_STATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/db_update.h"
#include "model/order.h"
#include "store/db.h"

/* The move of an order's status, for the totals of its agent, which follow later (order_moves_count). */
struct order_move {
    uint64_t agent_id; /* the caller's to fill in */
    enum order_status from, to;
};

/* The venue has taken all that the execution places: open. UNCHANGED: another process has seen more of it by
 * now. */
enum db_update order_states_placed(struct db *db, enum order_venue venue, uint64_t execution_id,
                                   struct order_move *out);
/* It was never taken, and never will be. UNCHANGED: it is not pending. */
enum db_update order_states_rejected(struct db *db, enum order_venue venue, uint64_t execution_id,
                                     const char *code, const char *message, struct order_move *out);
/* Its cancel is recorded, once. UNCHANGED: it is neither pending nor open any more. */
enum db_update order_states_cancel_request(struct db *db, enum order_venue venue, uint64_t id);

/* Later in the same transaction, since all of an agent's orders wait for its row: its totals follow what was
 * recorded. Moves of one agent that follow each other are added up. Perpetuals have no totals. */
bool order_moves_count(struct db *db, const struct order_move *moves, size_t n);

#endif
