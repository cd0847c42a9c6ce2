/* The conditions under which the clock of this host counts as off. */
#include "base/test.h"

#include "chain/rpc/clock_skew.h"

static struct arena *a;

static void poll_test_start(void)
{
    a = arena_new();
}

static void poll_test_end(void)
{
    arena_free(a);
}

/* By lags of one chain, then of another. */
static const char *of(int64_t first, int64_t second, int64_t other)
{
    struct clock_skew l = { .nodes = 0 };

    clock_skew_add(&l, &chains[0], first);
    clock_skew_add(&l, &chains[0], second);
    clock_skew_add(&l, &chains[1], other);
    return clock_skew_text(&l, a);
}

static void all_nodes_of_two_chains_say_it(void)
{
    CHECK_STR(of(3610, 3612, 3600), "this host's clock is 3600 s ahead of all nodes");
    CHECK_STR(of(-3590, -3600, -3588), "this host's clock is 3588 s behind all nodes");
}

static void one_that_agrees_is_enough(void)
{
    CHECK(of(3610, 3612, 5) == NULL);
    CHECK(of(-3590, 5, -3588) == NULL);
    CHECK(of(5, 12, 60) == NULL);
    CHECK(of(-12, 5, 1) == NULL);
}

/* Two that stood still, each for a time of its own. */
static void what_differs_is_no_clock(void)
{
    CHECK(of(3610, 3612, 3500) == NULL);
}

/* It may stand still; but no chain is ahead of time. */
static void one_chain_alone_may_stand_still(void)
{
    struct clock_skew l = { .nodes = 0 };

    CHECK(clock_skew_text(&l, a) == NULL);
    clock_skew_add(&l, &chains[0], 3600);
    clock_skew_add(&l, &chains[0], 3601);
    CHECK(clock_skew_text(&l, a) == NULL);
    l = (struct clock_skew){ .nodes = 0 };
    clock_skew_add(&l, &chains[0], -3600);
    CHECK_STR(clock_skew_text(&l, a), "this host's clock is 3600 s behind all nodes");
}

TEST_MAIN(TEST(poll_test_start), TEST(all_nodes_of_two_chains_say_it), TEST(one_that_agrees_is_enough),
          TEST(what_differs_is_no_clock), TEST(one_chain_alone_may_stand_still), TEST(poll_test_end))
