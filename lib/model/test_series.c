#include "base/test.h"
#include "model/series.c"

static metric_scale scale = { 10, 20, 100 };

static void percentiles_lie_within_their_buckets(void)
{
    static const struct {
        uint64_t buckets[SERIES_PLACES];
        unsigned permille;
        uint64_t value;
    } rows[] = {
        { { 0 }, 500, 0 },           { { 10 }, 500, 5 },
        { { 10 }, 1000, 10 },        { { 10 }, 990, 10 },
        { { 10, 10 }, 500, 10 },     { { 10, 10 }, 550, 11 },
        { { 10, 10 }, 950, 19 },     { { 0, 0, 1 }, 500, 100 },
        { { 1, 0, 0, 9 }, 100, 10 }, { { 1, 0, 0, 9 }, 500, 100 },
        { { 0, 0, 8 }, 500, 60 },    { { 1 }, 1, 10 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(series_percentile(rows[i].buckets, scale, rows[i].permille) == rows[i].value);
}

/* A bucket that is empty never gives its bounds away. */
static void more_is_never_less(void)
{
    const uint64_t buckets[SERIES_PLACES] = { 3, 0, 5, 2 };
    uint64_t last = 0;

    for (unsigned permille = 1; permille <= 1000; permille++) {
        uint64_t value = series_percentile(buckets, scale, permille);

        CHECK(value >= last && value <= 100 && value > 0);
        last = value;
    }
}

TEST_MAIN(TEST(percentiles_lie_within_their_buckets), TEST(more_is_never_less))
