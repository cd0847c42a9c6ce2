/* Following orders that were placed, wallet by wallet (predict/order_look.h), until nothing of them can
 * change any more (predict/order_verdict.h). */
#ifndef PREDICT_ORDER_POLL_H
#define PREDICT_ORDER_POLL_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/order.h"
#include "service/ctx.h"

/* Looks at the wallets that are due, until none is; less once `stopping` says so. Returns how many were
 * looked at, or -1. */
int order_poll(const struct ctx *ctx, bool (*stopping)(void));

/* Looks at one order within this time, and cancels it before if it is to be cancelled; the caller reads its
 * row again. Not inside a transaction. False when nobody could be asked, or what was seen could not be
 * recorded. */
bool order_look_one(const struct ctx *ctx, struct arena *a, const struct order *o, unsigned deadline_ms);

#endif
