#include "predict/order_cancel.h"

#include "orders/cancel.h"
#include "predict/predict_order_follower.h"

const struct err *order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                             struct order *out)
{
    return orders_find(&predict_follower, ctx, a, agent_id, id, out);
}

const struct err *order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                               struct order *out)
{
    return orders_cancel(&predict_follower, ctx, a, agent_id, id, out);
}
