#include "predict/predict_market.h"

static const char *const status_names[] = {
    [MARKET_OPEN] = "open",
    [MARKET_PAUSED] = "paused",
    [MARKET_CLOSED] = "closed",
    [MARKET_RESOLVED] = "resolved",
};

const char *market_status_name(enum market_status s)
{
    return status_names[s];
}
