/* What was traded of orders: a row for each order's part in a trade. */
#ifndef STORE_FILLS_H
#define STORE_FILLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/order.h"
#include "store/db.h"

/* Adds it, or sets the state and the transaction of the one with this trade. */
bool fills_put(struct db *db, const struct fill *f);

/* Of up to FILLS_ORDERS_MAX orders, by order, oldest first. Returns how many. */
enum { FILLS_ORDERS_MAX = 160 };
int fills_of(struct db *db, struct arena *a, const uint64_t *execution_ids, size_t n, struct fill **out);
/* Likewise of the orders that are not final of all wallets whose accounts the owner has claimed. */
int fills_claimed(struct db *db, struct arena *a, const struct uuid *owner, struct fill **out);

#endif
