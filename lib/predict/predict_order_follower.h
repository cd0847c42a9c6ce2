/* Following orders on prediction markets (orders/follower.h, predict/predict_account_poll.h), until nothing
 * of them can change any more (predict/predict_order_verdict.h). */
#ifndef PREDICT_PREDICT_ORDER_FOLLOWER_H
#define PREDICT_PREDICT_ORDER_FOLLOWER_H

#include "base/arena.h"
#include "model/order.h"
#include "orders/follower.h"

extern const struct order_follower predict_follower;

/* Polls of one order within this time, and cancels it before if it is to be cancelled; the caller reads its
 * row again. Not inside a transaction. False when the venue could not be asked, or the result could not be
 * recorded. */
bool order_poll_one(const struct ctx *ctx, struct arena *a, const struct order *o, unsigned deadline_ms);

#endif
