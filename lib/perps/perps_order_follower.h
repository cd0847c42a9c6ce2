/* Following orders for perpetuals (orders/follower.h, perps/perps_account_poll.h), until nothing of them can
 * change, with their trades; and what funding pays the positions that they open. */
#ifndef PERPS_PERPS_ORDER_FOLLOWER_H
#define PERPS_PERPS_ORDER_FOLLOWER_H

#include "base/arena.h"
#include "model/perps_order.h"
#include "orders/follower.h"

extern const struct order_follower perps_follower;

/* One order by itself, within this time; a cancel that is asked for goes out before. False: nothing is
 * recorded, or a cancel was not answered. */
bool perps_order_poll_one(const struct ctx *ctx, struct arena *a, const struct perps_order *o,
                          unsigned deadline_ms);

#endif
