/* Cancelling an order. That it is wanted is recorded before the venue is told, and repeated by a job until
 * the venue has given a definite answer. No stop holds it back. */
#ifndef PREDICT_ORDER_CANCEL_H
#define PREDICT_ORDER_CANCEL_H

#include "base/arena.h"
#include "base/err.h"
#include "model/agent.h"
#include "model/order.h"
#include "service/ctx.h"

/* The agent's order by its id. NULL, or E_PREDICT_ORDER_NOT_FOUND, E_INTERNAL. */
const struct err *order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                             struct order *out);

/* NULL: *out is the order as it is then; without a definite answer within 3 seconds it is not cancelled yet.
 * Otherwise E_PREDICT_ORDER_NOT_FOUND, E_PREDICT_ORDER_NOT_OPEN, E_INTERNAL. */
const struct err *order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                               struct order *out);

#endif
