#include "base/test.h"
#include "webhook/backoff.c"

static const int64_t none = -1;

static void follows_the_schedule(void)
{
    static const int64_t seconds[] = { 0, 5, 30, 120, 600, 3600, 10800, 28800, 57600, 86400 };
    int64_t low, middle, high;

    for (unsigned n = 0; n < WEBHOOK_ATTEMPTS; n++) {
        CHECK(backoff_delay(&low, n, none, 0));
        CHECK(backoff_delay(&middle, n, none, UINT32_C(1) << 31));
        CHECK(backoff_delay(&high, n, none, UINT32_MAX));
        CHECK(low == seconds[n] * 900);
        CHECK(middle == seconds[n] * 1000);
        CHECK(high <= seconds[n] * 1100 && high >= seconds[n] * 1100 - 1);
    }
}

static void ends_after_the_tenth(void)
{
    int64_t delay;

    CHECK(!backoff_delay(&delay, 10, none, 0));
    CHECK(!backoff_delay(&delay, 11, none, 0));
    CHECK(!backoff_delay(&delay, UINT32_MAX, 60, 0));
}

static void honours_a_longer_retry_after(void)
{
    int64_t delay;

    CHECK(backoff_delay(&delay, 1, 60, 7) && delay == 60000);
    CHECK(backoff_delay(&delay, 1, 0, UINT32_C(1) << 31) && delay == 5000);
    CHECK(backoff_delay(&delay, 4, 60, UINT32_C(1) << 31) && delay == 600000);
    CHECK(backoff_delay(&delay, 1, 86400, 7) && delay == 86400000);
    CHECK(backoff_delay(&delay, 1, 86401, 7) && delay == 86400000);
    CHECK(backoff_delay(&delay, 1, INT64_MAX, 7) && delay == 86400000);
    CHECK(backoff_delay(&delay, 9, INT64_MAX, UINT32_MAX) && delay >= 86400000 && delay <= 95040000);
}

TEST_MAIN(TEST(follows_the_schedule), TEST(ends_after_the_tenth), TEST(honours_a_longer_retry_after))
