#include "base/test.h"
#include "net/breaker.c"

enum { NOW = 1000000 };

static struct breaker b;

static void fail(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        breaker_tell(&b, false, NOW);
}

static void failures_in_a_row_open_it(void)
{
    fail(BREAKER_FAILURES - 1);
    CHECK(breaker_admits(&b, NOW));
    breaker_tell(&b, true, NOW); /* not in a row */
    fail(BREAKER_FAILURES - 1);
    CHECK(breaker_admits(&b, NOW));
    fail(1);
    CHECK(!breaker_admits(&b, NOW) && !breaker_would_admit(&b, NOW));
    breaker_tell(&b, true, NOW);
    CHECK(breaker_admits(&b, NOW));
}

static void one_caller_at_a_time_gets_the_tx_simulation(void)
{
    int64_t due = NOW + BREAKER_PAUSE_MS;

    fail(100);
    CHECK(!breaker_admits(&b, due - 1));
    CHECK(breaker_would_admit(&b, due) && breaker_admits(&b, due));
    CHECK(!breaker_would_admit(&b, due) && !breaker_admits(&b, due)); /* the trial is taken */
    breaker_tell(&b, false, due + 10);
    CHECK(!breaker_admits(&b, due + 9 + BREAKER_PAUSE_MS));
    CHECK(breaker_admits(&b, due + 10 + BREAKER_PAUSE_MS));
    CHECK(breaker_admits(&b, due + 10 + 2 * BREAKER_PAUSE_MS)); /* the trial was never reported */
    breaker_tell(&b, true, due);
    CHECK(breaker_admits(&b, due) && breaker_admits(&b, due));
}

TEST_MAIN(TEST(failures_in_a_row_open_it), TEST(one_caller_at_a_time_gets_the_tx_simulation))
