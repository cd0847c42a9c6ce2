/* Following orders that were placed, wallet by wallet and at all venues at once, until nothing of them can
 * change any more. Wallets are claimed by lease (store/order_leases.h), so that any number of hosts share the
 * work. */
#ifndef ORDERS_POLL_H
#define ORDERS_POLL_H

#include <stdbool.h>

#include "service/ctx.h"

/* Polls of the wallets that are due, until none is; less once `stopping` says so. Returns how many were
 * looked at, or -1. */
int orders_poll(const struct ctx *ctx, bool (*stopping)(void));

#endif
