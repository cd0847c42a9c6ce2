/* What operations that place an order on a prediction market may be refused with. */
#ifndef API_PREDICT_ORDERS_H
#define API_PREDICT_ORDERS_H

#include "base/err.h"

#define ORDER_ERRORS                                                                                         \
    &E_PREDICT_NOT_CONFIGURED, &E_TOKEN_ID, &E_SIZE, &E_SIZE_PLACES, &E_TICK, &E_MIN_SIZE, &E_LEAST_AT_ONCE, \
        &E_PREDICT_ORDER_AMOUNTS, &E_MARKET_PAUSED, &E_ALLOWANCE, &E_NOT_PERMITTED

#endif
