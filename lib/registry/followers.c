/* The venues whose orders are followed. A new one is a row here. */
#include "orders/follower.h"
#include "perps/perps_order_follower.h"
#include "predict/predict_order_follower.h"

const struct order_follower *const order_followers[] = {
    [ORDERS_OF_PREDICTION] = &predict_follower, [ORDERS_OF_PERPS] = &perps_follower
};
