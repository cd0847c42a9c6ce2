/* Counts of the service by the minute and by the hour, so that its operator sees its history without other
 * storage: the number of each, by the chain that swaps leave. */
#ifndef MODEL_SERIES_H
#define MODEL_SERIES_H

#include <stdint.h>

#include "base/metrics.h"

enum series_metric {
    SERIES_ACCEPTED = 1, /* swaps */
    SERIES_COMPLETED,
    SERIES_FAILED,
    SERIES_CENTS,      /* of what was given for those that were accepted */
    SERIES_SWAP_TIMES, /* from acceptance to completion: a place for each bucket */
    SERIES_ANSWERS,    /* of no chain: from requests to their answers; a place for each bucket */
    SERIES_DELIVERIES, /* of no chain: attempts, a place for each outcome */
    SERIES_METRICS
};
enum { SERIES_PLACES = BUCKETS_MAX };

struct series_count {
    enum series_metric metric;
    uint64_t chain_id; /* 0: of no chain */
    unsigned place;    /* 0 where there is only one */
    uint64_t n;
};

/* Microseconds from a request to its answer. */
extern metric_scale series_answer_scale;

/* The value that `permille` thousandths of all are not above, where those of a bucket are taken as spread
 * evenly between its bounds; of what is above the last bound, that bound. 0: there is none. */
uint64_t series_percentile(const uint64_t buckets[static SERIES_PLACES], metric_scale scale,
                           unsigned permille);

#endif
