#include "model/series.h"

metric_scale series_answer_scale = { 1000,   2500,   5000,   10000,   25000,  50000,
                                     100000, 250000, 500000, 1000000, 2500000 };

/* The n-th of `count` values between two bounds. */
static uint64_t between(uint64_t low, uint64_t high, uint64_t n, uint64_t count)
{
    return low + (high - low) * n / count;
}

uint64_t series_percentile(const uint64_t buckets[static SERIES_PLACES], metric_scale scale,
                           unsigned permille)
{
    uint64_t all = 0, wanted, before = 0, low = 0;

    for (unsigned i = 0; i < SERIES_PLACES; i++)
        all += buckets[i];
    if (all == 0)
        return 0;
    wanted = (all * permille + 999) / 1000;
    for (unsigned i = 0; i < SERIES_PLACES && scale[i] != 0; i++) {
        if (before + buckets[i] >= wanted)
            return between(low, scale[i], wanted - before, buckets[i]);
        before += buckets[i];
        low = scale[i];
    }
    return low;
}
