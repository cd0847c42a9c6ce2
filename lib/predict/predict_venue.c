#include "predict/predict_venue.h"

#include "net/bulkhead.h"

const struct cache_source prediction_venue = {
    .deadline_ms = PREDICT_DEADLINE_MS,
    .lane = BULKHEAD_MARKETS,
    .busy = "Too many calls are waiting for the prediction venue: try again in a second",
};
