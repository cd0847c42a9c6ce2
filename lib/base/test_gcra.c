#include "base/gcra.c"
#include "base/test.h"

static const int64_t NOW = 1800000000000000;

/* The same numbers in each run (Knuth's MMIX generator). */
static uint32_t pick_below(uint32_t n)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static unsigned take_many(int64_t *paid, int64_t now, uint32_t units, unsigned tries)
{
    unsigned n = 0;

    while (tries-- > 0)
        n += gcra_take(paid, now, rate_limit_per_minute(units)).allowed;
    return n;
}

static void a_burst_is_the_quota(void)
{
    static const uint32_t quotas[] = { 1, 2, 5, 7, 120, 600, 999, 2000, 65537, GCRA_UNITS_MAX };

    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        int64_t paid = 0;

        CHECK(take_many(&paid, NOW, quotas[i], quotas[i] + 10) == quotas[i]);
        CHECK(take_many(&paid, NOW + 2 * 60 * (int64_t)US, quotas[i], quotas[i] + 10) == quotas[i]);
    }
}

static void results_report_remaining_and_wait(void)
{
    int64_t paid = 0;
    struct gcra g = gcra_take(&paid, NOW, rate_limit_per_minute(120));

    CHECK(g.allowed && g.remaining == 119 && g.wait_us == US / 2);
    g = gcra_take(&paid, NOW, rate_limit_per_minute(120));
    CHECK(g.allowed && g.remaining == 118 && g.wait_us == US);
    (void)take_many(&paid, NOW, 120, 117);
    g = gcra_take(&paid, NOW, rate_limit_per_minute(120)); /* the last one */
    CHECK(g.allowed && g.remaining == 0 && g.wait_us == US / 2);
    g = gcra_take(&paid, NOW + 100000, rate_limit_per_minute(120));
    CHECK(!g.allowed && g.remaining == 0 && g.wait_us == 400000);
    g = gcra_peek(paid, NOW + 499999, rate_limit_per_minute(120));
    CHECK(!g.allowed && g.wait_us == 1);
    g = gcra_peek(paid, NOW + 500000, rate_limit_per_minute(120));
    CHECK(g.allowed && g.remaining == 1);
    CHECK(gcra_take(&paid, NOW + 500000, rate_limit_per_minute(120)).allowed &&
          !gcra_take(&paid, NOW + 500000, rate_limit_per_minute(120)).allowed);
}

static void refill_is_steady(void)
{
    int64_t paid = 0;

    (void)take_many(&paid, NOW, 120, 120);
    for (int64_t s = 1; s <= 100; s++) /* two a second of any number asked for */
        CHECK(take_many(&paid, NOW + s * US, 120, 50) == 2);
    CHECK(take_many(&paid, NOW + 110 * (int64_t)US, 120, 500) == 20);
}

static void refusals_cost_nothing(void)
{
    int64_t paid = 0, before;

    (void)take_many(&paid, NOW, 5, 5);
    before = paid;
    CHECK(take_many(&paid, NOW + 1, 5, 1000) == 0 && paid == before);
    CHECK(gcra_take(&paid, NOW + 12 * (int64_t)US, rate_limit_per_minute(5)).allowed);
}

static void no_limit_is_no_limit(void)
{
    int64_t paid = 0;

    CHECK(take_many(&paid, NOW, 0, 100000) == 100000 && paid == NOW);
    paid = NOW + 7; /* owed from a tier with a limit: still owed on the way back */
    CHECK(gcra_take(&paid, NOW, rate_limit_per_minute(0)).allowed && paid == NOW + 7);
}

/* A clock set back must not keep a caller out for longer than a burst takes to come back. */
static void a_clock_set_back(void)
{
    int64_t paid = NOW;

    CHECK(!gcra_take(&paid, NOW - 3600 * (int64_t)US, rate_limit_per_minute(120)).allowed);
    CHECK(gcra_take(&paid, NOW - 3600 * (int64_t)US + US / 2, rate_limit_per_minute(120)).allowed);
}

static void another_quota_counts_at_once(void)
{
    int64_t paid = 0;

    (void)take_many(&paid, NOW, 120, 120);
    CHECK(!gcra_take(&paid, NOW, rate_limit_per_minute(120)).allowed);
    CHECK(take_many(&paid, NOW + US, 600, 100) == 10); /* now ten a second */
}

/* Any span of time holds at most quota + what comes back in it, however requests arrive. */
static void never_more_than_quota_and_refill(void)
{
    enum { EVENTS = 3000 };
    static int64_t at[EVENTS];

    for (unsigned round = 0; round < 40; round++) {
        uint32_t units = 1 + pick_below(round % 2 == 0 ? 10 : 700);
        int64_t paid = 0, now = NOW;
        unsigned n = 0;

        for (unsigned i = 0; i < EVENTS; i++) {
            if (pick_below(4) == 0)
                now += pick_below(1 + (uint32_t)(3 * pace_of(rate_limit_per_minute(units)).each_us));
            if (gcra_take(&paid, now, rate_limit_per_minute(units)).allowed)
                at[n++] = now;
        }
        for (unsigned i = 0; i < n; i += 1 + pick_below(20))
            for (unsigned j = i; j < n; j += 1 + pick_below(20)) {
                int64_t refill = (at[j] - at[i]) * units / (GCRA_WINDOW_S * (int64_t)US);

                CHECK((int64_t)(j - i) + 1 <= units + refill);
            }
    }
}

/* Checks every number of units that there can be. */
static void units_are_no_shorter_than_their_share(void)
{
    static const uint32_t windows_s[] = { 1, 7, GCRA_WINDOW_S, 86400 };

    for (size_t i = 0; i < sizeof windows_s / sizeof windows_s[0]; i++)
        for (uint32_t units = 1; units <= GCRA_UNITS_MAX; units++) {
            struct pace p = pace_of((struct rate_limit){ units, windows_s[i] });
            int64_t window_us = windows_s[i] * (int64_t)US;

            if (p.burst_us != p.each_us * units || p.burst_us < window_us || p.burst_us - units >= window_us)
                CHECK(p.burst_us == window_us);
        }
}

static void seconds_are_rounded_up(void)
{
    CHECK(gcra_seconds(-5) == 0 && gcra_seconds(0) == 0 && gcra_seconds(1) == 1);
    CHECK(gcra_seconds(US) == 1 && gcra_seconds(US + 1) == 2);
}

TEST_MAIN(TEST(a_burst_is_the_quota), TEST(results_report_remaining_and_wait), TEST(refill_is_steady),
          TEST(refusals_cost_nothing), TEST(no_limit_is_no_limit), TEST(a_clock_set_back),
          TEST(another_quota_counts_at_once), TEST(never_more_than_quota_and_refill),
          TEST(units_are_no_shorter_than_their_share), TEST(seconds_are_rounded_up))
