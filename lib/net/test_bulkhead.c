#include "base/test.h"
#include "net/bulkhead.c"

#include <sys/wait.h>

enum { WORKERS = 16, WAITING = 12, HALF = 8, THIRD = 6 };

static struct bulkhead *s;

/* A worker's own variables, one set for each. */
static struct {
    unsigned depth, held[BULKHEAD_LANES];
} own[WORKERS];

static void be(unsigned worker)
{
    own[s->own].depth = s->depth;
    memcpy(own[s->own].held, s->held, sizeof s->held);
    s->own = worker;
    s->depth = own[worker].depth;
    memcpy(s->held, own[worker].held, sizeof s->held);
}

static bool enter(unsigned worker, uint64_t agent)
{
    be(worker);
    return bulkhead_enter(s, agent);
}

static void leave(unsigned worker)
{
    be(worker);
    bulkhead_leave(s);
}

static bool bulkhead_test_take(unsigned worker, unsigned lane)
{
    be(worker);
    return bulkhead_take_lane(s, lane);
}

static void give(unsigned worker, unsigned lane)
{
    be(worker);
    bulkhead_give_lane(s, lane);
}

static bool is_strained(unsigned way)
{
    return s->shared->strained_until_ms[way] > clock_mono_ms();
}

static bool get_on(uint64_t agent, uint64_t lane, int64_t now_ms)
{
    unsigned way;

    return holders_get_on(s, agent, lane, now_ms, &way);
}

static void bulkhead_test_begin(unsigned workers)
{
    memset(own, 0, sizeof own);
    s = bulkhead_new(workers);
}

static void a_third_for_one_and_a_quarter_never(void)
{
    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < THIRD; i++)
        CHECK(enter(i, 7));
    CHECK(!enter(THIRD, 7) && !enter(THIRD, 7));
    for (unsigned i = THIRD; i < WAITING; i++)
        CHECK(enter(i, 8));
    CHECK(!enter(WAITING, 10)); /* the rest never waits */
    leave(0);
    CHECK(enter(WAITING, 10) && !enter(0, 7));
    leave(WAITING);
    CHECK(enter(0, 7));
    bulkhead_free(s);
}

static void few_workers_leave_one_too(void)
{
    static const struct {
        unsigned workers, waiting, of_agent, in_lane;
    } pools[] = { { 1, 1, 1, 1 }, { 2, 1, 1, 1 }, { 3, 2, 1, 2 },    { 4, 3, 2, 2 },
                  { 6, 4, 2, 3 }, { 8, 6, 3, 4 }, { 64, 48, 22, 32 } };

    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        bulkhead_test_begin(pools[i].workers);
        CHECK(s->waiting == pools[i].waiting);
        CHECK(s->of_agent == pools[i].of_agent && s->in_lane == pools[i].in_lane);
        bulkhead_free(s);
    }
}

static void half_in_a_lane(void)
{
    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < HALF; i++)
        CHECK(enter(i, i + 1) && bulkhead_test_take(i, 63));
    CHECK(enter(HALF, 9) && !bulkhead_lane_was_full(s, 63));
    CHECK(!bulkhead_test_take(HALF, 63) && bulkhead_lane_was_full(s, 63) && bulkhead_test_take(HALF, 0) &&
          !bulkhead_lane_was_full(s, 0));
    give(2, 63);
    CHECK(bulkhead_test_take(HALF, 63));
    leave(HALF);
    CHECK(enter(HALF, 9) && !bulkhead_lane_was_full(s, 63)); /* another request */
    bulkhead_free(s);
}

static void lanes_alone_count_as_waiting(void)
{
    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < WAITING; i++)
        CHECK(bulkhead_test_take(i, i));
    CHECK(!bulkhead_test_take(WAITING, WAITING) && !enter(WAITING, 7));
    give(0, 0);
    CHECK(bulkhead_test_take(WAITING, WAITING));
    bulkhead_free(s);
}

static void within_itself_it_counts_once(void)
{
    bulkhead_test_begin(WORKERS);
    CHECK(enter(0, 7) && enter(0, 7) && bulkhead_test_take(0, 5) && bulkhead_test_take(0, 5));
    leave(0);
    give(0, 5);
    CHECK(s->places[0].agent == 7 && s->places[0].lanes == 1 << 5);
    give(0, 5);
    leave(0);
    CHECK(s->places[0].agent == 0 && s->places[0].lanes == 0);
    bulkhead_free(s);
}

static void a_successor_clears_what_was_held(void)
{
    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < HALF; i++)
        CHECK((i >= THIRD || enter(i, 7)) && bulkhead_test_take(i, 1));
    CHECK(!enter(HALF, 7) && !bulkhead_test_take(HALF, 1));
    bulkhead_clear(s, 2); /* worker 2 was killed */
    CHECK(enter(HALF, 7) && bulkhead_test_take(HALF, 1));
    bulkhead_free(s);
}

static void a_single_worker_may_wait(void)
{
    bulkhead_test_begin(1);
    CHECK(enter(0, 7) && bulkhead_test_take(0, 3));
    give(0, 3);
    leave(0);
    CHECK(enter(0, 8));
    bulkhead_free(s);
}

static bool enter_to_free(unsigned worker, uint64_t agent)
{
    be(worker);
    return bulkhead_enter_to_free(s, agent);
}

static void closing_calls_find_a_reserved_place(void)
{
    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < THIRD; i++)
        CHECK(enter(i, 7) && bulkhead_test_take(i, 63));
    for (unsigned i = THIRD; i < WAITING; i++)
        CHECK(enter(i, 8) && bulkhead_test_take(i, i < HALF ? 63 : 1));
    CHECK(!enter(WAITING, 9) && !enter(WAITING, 7));
    CHECK(enter_to_free(WAITING, 7) && bulkhead_test_take(WAITING, 63));
    CHECK(!enter_to_free(WAITING + 1, 9)); /* one of sixteen */
    give(WAITING, 63);
    leave(WAITING);
    CHECK(!enter(WAITING, 9) && enter_to_free(WAITING, 9));
    bulkhead_free(s);
}

static bool test_enter(unsigned worker, uint64_t agent)
{
    be(worker);
    return bulkhead_test_enter(s, agent);
}

static void receivers_hold_no_place_of_the_others(void)
{
    bulkhead_test_begin(WORKERS);
    CHECK(test_enter(0, 7) && !test_enter(1, 7)); /* one of an agent */
    CHECK(test_enter(1, 8) && !test_enter(2, 9)); /* two of sixteen workers */
    for (unsigned i = 2; i < 2 + WAITING; i++)
        CHECK(enter(i, i));
    be(0);
    bulkhead_test_leave(s);
    CHECK(test_enter(14, 9));
    bulkhead_clear(s, 14); /* it was killed */
    CHECK(test_enter(15, 7));
    bulkhead_free(s);
}

/* Another worker leaves its place a moment after this one began to queue for it. */
static void a_burst_queues(void)
{
    pid_t other;

    bulkhead_test_begin(2);
    CHECK(enter(0, 7));
    other = fork();
    if (other == 0) {
        usleep(50 * 1000);
        bulkhead_leave(s);
        _exit(0);
    }
    CHECK(enter(1, 7) && !is_strained(0));
    CHECK(waitpid(other, NULL, 0) == other);
    bulkhead_free(s);
}

static void requests_do_not_queue_behind_hanging_holders(void)
{
    bulkhead_test_begin(2);
    CHECK(enter(0, 7) && !enter(1, 7) && is_strained(0));
    s->places[0].moved_ms = clock_mono_ms(); /* the strain lasts even if the holder moves */
    CHECK(!queueing_is_worth_it(s, 7, 0, clock_mono_ms()));
    s->shared->strained_until_ms[0] = 0;
    CHECK(queueing_is_worth_it(s, 7, 0, clock_mono_ms()));
    bulkhead_free(s);
}

static void hanging_calls_do_not_block_other_agents_or_lanes(void)
{
    int64_t now;

    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < HALF; i++)
        CHECK((i >= THIRD || enter(i, 7)) && bulkhead_test_take(i, 63));
    CHECK(!enter(HALF, 7) && !bulkhead_test_take(HALF, 63));
    now = clock_mono_ms();
    CHECK(is_strained(way_of(7, 0)) && is_strained(way_of(0, 1ULL << 63)) && !is_strained(0));
    CHECK(!queueing_is_worth_it(s, 7, 0, now) && !queueing_is_worth_it(s, 0, 1ULL << 63, now));
    CHECK(queueing_is_worth_it(s, 8, 0, now) && queueing_is_worth_it(s, 0, 1ULL << 62, now));
    bulkhead_free(s);
}

static void every_way_has_a_place(void)
{
    CHECK(way_of(0, 1) == WAY_LANES && way_of(0, 1ULL << 63) == WAY_AGENTS - 1);
    CHECK(way_of(WAYS - WAY_AGENTS, 0) == WAY_AGENTS && way_of(UINT64_MAX, 0) < WAYS);
}

/* As when requests take turns at something else: most have waited for long, but they get on. */
static void one_moving_holder_is_enough_to_queue(void)
{
    int64_t now;

    bulkhead_test_begin(WORKERS);
    for (unsigned i = 0; i < HALF; i++)
        CHECK((i >= THIRD || enter(i, 7)) && bulkhead_test_take(i, 1));
    now = clock_mono_ms();
    for (unsigned i = 0; i < HALF; i++)
        s->places[i].moved_ms = now - 10 * STUCK_MS;
    CHECK(!get_on(7, 0, now) && !get_on(0, 1 << 1, now));
    CHECK(get_on(8, 0, now) && get_on(0, 1 << 2, now));
    give(3, 1); /* an answer came; the request goes on */
    CHECK(get_on(7, 0, clock_mono_ms()) && !get_on(0, 1 << 1, clock_mono_ms()));
    for (unsigned i = THIRD; i < WAITING; i++)
        CHECK(enter(i, 8));
    for (unsigned i = 0; i < WAITING; i++)
        s->places[i].moved_ms = now - 10 * STUCK_MS;
    CHECK(!get_on(9, 0, now)); /* all places are taken */
    bulkhead_free(s);
}

TEST_MAIN(TEST(closing_calls_find_a_reserved_place), TEST(receivers_hold_no_place_of_the_others),
          TEST(a_third_for_one_and_a_quarter_never), TEST(few_workers_leave_one_too), TEST(half_in_a_lane),
          TEST(lanes_alone_count_as_waiting), TEST(within_itself_it_counts_once),
          TEST(a_successor_clears_what_was_held), TEST(a_single_worker_may_wait), TEST(a_burst_queues),
          TEST(one_moving_holder_is_enough_to_queue), TEST(requests_do_not_queue_behind_hanging_holders),
          TEST(hanging_calls_do_not_block_other_agents_or_lanes), TEST(every_way_has_a_place))
