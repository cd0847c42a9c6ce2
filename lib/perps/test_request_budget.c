#include "perps/request_budget.c"

#include "base/test.h"

static struct conf conf = { .perps_weight = 1000 };
static const struct ctx ctx = { .conf = &conf };

static void begin(void)
{
    own_account = (struct shared_weight){ .layout = 0 };
}

/* Takes until it is refused, at most `most` times; how often. */
static unsigned taken(unsigned weight, enum perps_request_budget_of of, unsigned most)
{
    unsigned n = 0;

    while (n < most && perps_request_budget_take(&ctx, weight, of))
        n++;
    return n;
}

static void lower_priorities_leave_room(void)
{
    begin();
    CHECK(taken(10, PERPS_REQUEST_BUDGET_READS, 1000) == 70);
    CHECK(taken(10, PERPS_REQUEST_BUDGET_POLLS, 1000) == 20);
    CHECK(taken(10, PERPS_REQUEST_BUDGET_READS, 1000) == 0);
    CHECK(taken(10, PERPS_REQUEST_BUDGET_ORDERS, 50) == 50); /* they are always let through */
    CHECK(taken(10, PERPS_REQUEST_BUDGET_POLLS, 1000) == 0);
}

static void after_a_refusal_less_is_asked(void)
{
    begin();
    perps_request_budget_refused();
    CHECK(taken(10, PERPS_REQUEST_BUDGET_READS, 1000) == 10); /* a fifth of the minute, at twice the price */
    CHECK(taken(10, PERPS_REQUEST_BUDGET_ORDERS, 5) == 5);
}

/* A hundredth of the minute is 10 of it. */
static void waits_are_reported_in_seconds(void)
{
    begin();
    CHECK(perps_request_budget_wait_s(&ctx, 10, PERPS_REQUEST_BUDGET_READS) ==
          1); /* not at all, but never none */
    CHECK(taken(10, PERPS_REQUEST_BUDGET_READS, 1000) == 70);
    CHECK(perps_request_budget_wait_s(&ctx, 10, PERPS_REQUEST_BUDGET_READS) == 1);
    CHECK(perps_request_budget_wait_s(&ctx, 100, PERPS_REQUEST_BUDGET_READS) == 6);
    CHECK(perps_request_budget_wait_s(&ctx, 100, PERPS_REQUEST_BUDGET_POLLS) == 1);
    CHECK(taken(10, PERPS_REQUEST_BUDGET_ORDERS, 30) == 30);
    CHECK(perps_request_budget_wait_s(&ctx, 10, PERPS_REQUEST_BUDGET_READS) == 19);
    CHECK(perps_request_budget_wait_s(&ctx, 10, PERPS_REQUEST_BUDGET_POLLS) == 7);
    CHECK(perps_request_budget_wait_s(&ctx, 10, PERPS_REQUEST_BUDGET_ORDERS) == 1);
    perps_request_budget_refused();
    CHECK(perps_request_budget_wait_s(&ctx, 100, PERPS_REQUEST_BUDGET_READS) == 30); /* at twice the price */
}

static void without_a_limit_nothing_waits(void)
{
    begin();
    conf.perps_weight = 0;
    CHECK(taken(1000, PERPS_REQUEST_BUDGET_READS, 100) == 100);
    CHECK(perps_request_budget_wait_s(&ctx, 1000, PERPS_REQUEST_BUDGET_READS) == 1);
    conf.perps_weight = 1000;
}

/* At most a minute is owed. */
static void a_clock_that_began_anew_forgives(void)
{
    begin();
    atomic_store(&own_account.paid_us, now_us() + 1000LL * MINUTE_US);
    CHECK(taken(10, PERPS_REQUEST_BUDGET_READS, 1000) == 0);
    CHECK(perps_request_budget_take(&ctx, 10, PERPS_REQUEST_BUDGET_ORDERS));
    CHECK(atomic_load(&own_account.paid_us) - now_us() < 2LL * MINUTE_US);
}

static void weight_of_questions_for_orders(void)
{
    CHECK(perps_request_budget_asked_for() == PERPS_REQUEST_BUDGET_READS);
    perps_request_budget_for(PERPS_REQUEST_BUDGET_ORDERS);
    CHECK(perps_request_budget_asked_for() == PERPS_REQUEST_BUDGET_ORDERS);
}

TEST_MAIN(TEST(lower_priorities_leave_room), TEST(after_a_refusal_less_is_asked),
          TEST(waits_are_reported_in_seconds), TEST(without_a_limit_nothing_waits),
          TEST(a_clock_that_began_anew_forgives), TEST(weight_of_questions_for_orders))
