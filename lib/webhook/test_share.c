#include "base/test.h"
#include "webhook/share.c"

static const struct event first_attempt = { .attempts = 0 }, repeated = { .attempts = 1 };

static void a_prompt_receiver_gets_all_places(void)
{
    struct share s = { 0 };
    unsigned answers = 0;

    share_meet(&s, &first_attempt);
    CHECK(s.window == WINDOW_FIRST && !share_is_slow(&s) && share_stock(&s) == STOCK_FIRST);
    for (; s.window < DRAIN_IN_FLIGHT; answers++)
        share_learn(&s, false);
    CHECK(answers == (DRAIN_IN_FLIGHT - WINDOW_FIRST) / WINDOW_GROWTH);
    share_learn(&s, false);
    CHECK(s.window == DRAIN_IN_FLIGHT && share_stock(&s) == DRAIN_HELD_MAX);
}

static void a_slow_receiver_keeps_a_few_places(void)
{
    struct share s = { .window = DRAIN_IN_FLIGHT };

    for (unsigned i = 0; i < 10; i++)
        share_learn(&s, true);
    CHECK(s.window == WINDOW_MIN && share_is_slow(&s) && share_stock(&s) == STOCK_SLOW);
    share_learn(&s, false);
    CHECK(share_is_slow(&s));
    share_learn(&s, false);
    CHECK(!share_is_slow(&s) && share_stock(&s) == STOCK_FIRST);
}

static void receivers_met_with_a_repeat_count_as_slow(void)
{
    struct share s = { 0 };

    CHECK(!share_is_slow(&s));
    share_meet(&s, &repeated);
    CHECK(s.window == WINDOW_MIN && share_is_slow(&s));
    share_meet(&s, &first_attempt);
    CHECK(s.window == WINDOW_MIN);
}

TEST_MAIN(TEST(a_prompt_receiver_gets_all_places), TEST(a_slow_receiver_keeps_a_few_places),
          TEST(receivers_met_with_a_repeat_count_as_slow))
