#include "api/slots.c"
#include "core/test.h"

enum { WORKERS = 12 };

static struct slots *s;

static bool enter(unsigned worker, uint64_t agent)
{
    s->own = worker;
    return slots_enter(s, agent);
}

static void leave(unsigned worker)
{
    s->own = worker;
    slots_leave(s);
}

static void three_quarters_and_a_third(void)
{
    s = slots_new(WORKERS);
    for (unsigned i = 0; i < 4; i++)
        CHECK(enter(i, 7));
    CHECK(!enter(4, 7) && !enter(4, 7)); /* a third */
    for (unsigned i = 4; i < 8; i++)
        CHECK(enter(i, 8));
    CHECK(enter(8, 9));
    CHECK(!enter(9, 10)); /* three quarters */
    leave(0);
    CHECK(enter(9, 10) && !enter(0, 7));
    leave(9);
    CHECK(enter(0, 7));
    slots_free(s);
}

static void a_successor_clears_what_was_held(void)
{
    s = slots_new(WORKERS);
    for (unsigned i = 0; i < 4; i++)
        CHECK(enter(i, 7));
    CHECK(!enter(5, 7));
    slots_own(s, 2); /* worker 2 was killed */
    CHECK(enter(5, 7));
    slots_free(s);
}

static void one_worker_may_wait(void)
{
    s = slots_new(1);
    CHECK(enter(0, 7));
    leave(0);
    CHECK(enter(0, 8));
    slots_free(s);
}

TEST_MAIN(TEST(three_quarters_and_a_third), TEST(a_successor_clears_what_was_held), TEST(one_worker_may_wait))
