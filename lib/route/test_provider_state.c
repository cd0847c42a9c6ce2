/* Whom the workers may ask, by a clock of the test's own. */
#include "base/clock.h"
#include "base/test.h"

#include <unistd.h>

static int64_t test_now_ms;
#define clock_mono_ms() test_now_ms
#define provider_rate   test_rate
#include "route/provider_service.h"
struct rate_limit test_rate(const struct ctx *ctx, const struct provider *p);
#include "route/provider_state.c"
#undef provider_rate

static const struct provider_service service = { .url = "https://service.example" };
static const struct provider asked = { .key = "asked", .service = &service }, onchain = { .key = "onchain" };
static struct rate_limit rate;
static struct ctx ctx;

struct rate_limit test_rate(const struct ctx *c, const struct provider *p)
{
    (void)c;
    (void)p;
    return rate;
}

static void states_forget(void)
{
    if (states == NULL)
        states_keep_alone();
    memset(states, 0, sizeof *states);
    test_now_ms = 1000000;
    rate = (struct rate_limit){ .units = 0 };
}

static void told(enum ask_end end, unsigned took_ms)
{
    const struct call call = { .result = end == ASK_TIMEOUT ? CALL_TIMEOUT : CALL_ANSWERED,
                               .took_ms = took_ms,
                               .retry_after_s = -1,
                               .quota_left = -1,
                               .quota_reset_s = -1 };

    provider_tell(&asked, &call, end);
}

static void limited(int64_t retry_after_s, int64_t quota_reset_s)
{
    const struct call call = { .result = CALL_ANSWERED,
                               .status = 429,
                               .retry_after_s = retry_after_s,
                               .quota_left = -1,
                               .quota_reset_s = quota_reset_s };

    provider_tell(&asked, &call, ASK_RATE_LIMITED);
}

/* In how many milliseconds it may be asked again. */
static int64_t pause_left(void)
{
    return atomic_load(&state_of(&asked)->paused_until_ms) - test_now_ms;
}

static bool is(enum provider_health want)
{
    return provider_health(&ctx, &asked) == want && provider_admits(&ctx, &asked) == want;
}

static void calls_keep_to_the_rate(void)
{
    states_forget();
    rate = (struct rate_limit){ 75, 7200 };
    for (int i = 0; i < 75; i++)
        CHECK(is(PROVIDER_READY));
    CHECK(is(PROVIDER_SPENT));
    test_now_ms += 95999;
    CHECK(is(PROVIDER_SPENT));
    test_now_ms += 1;
    CHECK(is(PROVIDER_READY) && is(PROVIDER_SPENT));
    CHECK(provider_admits(&ctx, &onchain) == PROVIDER_READY);
}

static struct bulkhead *bulkhead;

static enum provider_health admits_to(uint64_t agent)
{
    enum provider_health health;

    if (bulkhead == NULL)
        bulkhead = bulkhead_new(1);
    ctx.bulkhead = bulkhead;
    CHECK(bulkhead_enter(bulkhead, agent));
    health = provider_admits(&ctx, &asked);
    bulkhead_leave(bulkhead);
    ctx.bulkhead = NULL;
    return health;
}

static void half_of_its_rate_is_one_agents(void)
{
    states_forget();
    rate = (struct rate_limit){ 10, 10 };
    for (int i = 0; i < 5; i++)
        CHECK(admits_to(7) == PROVIDER_READY);
    CHECK(admits_to(7) == PROVIDER_SPENT && admits_to(8) == PROVIDER_READY);
    for (int i = 0; i < 4; i++)
        CHECK(is(PROVIDER_READY)); /* jobs ask for all */
    CHECK(is(PROVIDER_SPENT) && admits_to(9) == PROVIDER_SPENT);
    test_now_ms += 2000;
    CHECK(admits_to(7) == PROVIDER_READY && admits_to(7) == PROVIDER_SPENT && admits_to(9) == PROVIDER_READY);

    states_forget();
    rate = (struct rate_limit){ 1, 2 }; /* as of one that allows little without a key */
    for (int i = 0; i < 100; i++) {
        bool second = i % 2 == 1;

        CHECK(admits_to(7) == (second ? PROVIDER_SPENT : PROVIDER_READY));
        CHECK(!second || admits_to(8) == PROVIDER_READY);
        test_now_ms += 2000;
    }
    for (uint64_t agent = 1; agent < 10 * ASKERS; agent++) { /* more than there are places */
        test_now_ms += 2000;
        CHECK(admits_to(agent) == PROVIDER_READY);
    }
}

static void left_alone_when_it_says_so(void)
{
    states_forget();
    limited(30, 7200);
    CHECK(is(PROVIDER_PAUSED) && pause_left() == 30000);
    limited(5, -1); /* of a question that was in progress */
    CHECK(pause_left() == 30000);
    test_now_ms += 30000;
    CHECK(is(PROVIDER_READY));
    limited(-1, 7200);
    CHECK(pause_left() == 7200000);
    states_forget();
    limited(INT32_MAX, -1);
    CHECK(pause_left() == 7200000);
}

static void twice_as_long_each_time(void)
{
    states_forget();
    for (int64_t ms = 1000; ms <= 64000; ms *= 2) {
        limited(-1, -1);
        CHECK(pause_left() >= ms && pause_left() < ms + 1000);
        limited(-1, -1);
        CHECK(pause_left() < ms + 1000);
        test_now_ms += ms + 1000;
    }
    limited(-1, -1);
    CHECK(pause_left() >= 64000 && pause_left() < 65000);
    test_now_ms += 65000;
    told(ASK_OFFERED, 10);
    limited(-1, -1);
    CHECK(pause_left() < 2000);
}

static void spent_by_its_own_count(void)
{
    struct call call = { .result = CALL_ANSWERED, .retry_after_s = -1, .quota_left = 1, .quota_reset_s = 60 };

    states_forget();
    provider_tell(&asked, &call, ASK_OFFERED);
    CHECK(is(PROVIDER_READY));
    call.quota_left = 0;
    provider_tell(&asked, &call, ASK_OFFERED);
    CHECK(is(PROVIDER_PAUSED) && pause_left() == 60000);
}

static void left_alone_when_silent(void)
{
    states_forget();
    for (int i = 0; i < BREAKER_FAILURES; i++) {
        CHECK(is(PROVIDER_READY));
        told(ASK_TIMEOUT, 499); /* it had no time */
        told(i % 2 == 0 ? ASK_TIMEOUT : ASK_UNAVAILABLE, 700);
    }
    CHECK(is(PROVIDER_FAILING));
    test_now_ms += BREAKER_PAUSE_MS;
    CHECK(provider_health(&ctx, &asked) == PROVIDER_READY);
    CHECK(provider_admits(&ctx, &asked) == PROVIDER_READY &&
          provider_admits(&ctx, &asked) == PROVIDER_FAILING);
    told(ASK_NO_ROUTE, 20);
    CHECK(is(PROVIDER_READY));
}

static void left_alone_when_it_lies(void)
{
    states_forget();
    provider_found_lying(&asked);
    test_now_ms += CHECK_REPORTS_MS;
    provider_found_lying(&asked);
    provider_found_lying(&asked);
    CHECK(is(PROVIDER_READY));
    test_now_ms += CHECK_REPORTS_MS - 1;
    provider_found_lying(&asked);
    CHECK(is(PROVIDER_SUSPECT) && provider_counts(&asked).check_reports == 4);
    test_now_ms += CHECK_REPORTS_MS - 1;
    CHECK(is(PROVIDER_SUSPECT));
    test_now_ms += 1;
    CHECK(is(PROVIDER_READY));
}

static void answered(int status, enum ask_end end)
{
    const struct call call = {
        .result = CALL_ANSWERED, .status = status, .retry_after_s = -1, .quota_left = -1, .quota_reset_s = -1
    };

    provider_tell(&asked, &call, end);
}

/* One account's odd requests alone turn no provider off. */
static void refused_when_a_known_question_is_too(void)
{
    states_forget();
    for (unsigned i = 1; i < REFUSALS_MAX; i++)
        answered(i % 2 == 0 ? 401 : 404, ASK_REFUSED);
    answered(404, ASK_NO_ROUTE);
    answered(400, ASK_REFUSED);
    told(ASK_TIMEOUT, 700);
    CHECK(!provider_is_in_doubt(&asked));
    answered(410, ASK_REFUSED);
    CHECK(provider_is_in_doubt(&asked) && is(PROVIDER_READY));
    answered(200, ASK_NO_ROUTE);
    CHECK(provider_is_in_doubt(&asked));
    provider_serves_us(&asked);
    CHECK(!provider_is_in_doubt(&asked) && is(PROVIDER_READY));
    for (unsigned i = 0; i < REFUSALS_MAX; i++)
        answered(i % 2 == 0 ? 401 : 200, i % 2 == 0 ? ASK_REFUSED : ASK_UNAVAILABLE);
    provider_keeps_refusing(&asked, "no plan");
    CHECK(!provider_is_in_doubt(&asked) && is(PROVIDER_REFUSED));
    ctx.asks_known = true;
    CHECK(provider_admits(&ctx, &asked) == PROVIDER_READY);
    ctx.asks_known = false;
}

static void asked_again_at_growing_intervals(void)
{
    states_forget();
    for (unsigned i = 0; i < REFUSALS_MAX; i++)
        answered(403, ASK_REFUSED);
    provider_keeps_refusing(&asked, "");
    for (int64_t ms = REFUSALS_AGAIN_MS; ms <= (int64_t)REFUSALS_AGAIN_MS << REFUSALS_DOUBLINGS; ms *= 2) {
        test_now_ms += ms - 1;
        CHECK(is(PROVIDER_REFUSED) && !provider_is_in_doubt(&asked));
        test_now_ms += 1;
        CHECK(provider_is_in_doubt(&asked));
        CHECK(provider_admits(&ctx, &asked) == PROVIDER_READY);
        CHECK(provider_admits(&ctx, &asked) == PROVIDER_REFUSED);
        answered(403, ASK_REFUSED);
    }
    test_now_ms += (int64_t)REFUSALS_AGAIN_MS << REFUSALS_DOUBLINGS;
    CHECK(provider_admits(&ctx, &asked) == PROVIDER_READY);
    answered(200, ASK_OFFERED);
    CHECK(is(PROVIDER_READY) && !provider_is_in_doubt(&asked));
}

static void too_large_an_answer_is_unreadable(void)
{
    const struct call large = { .result = CALL_FAILED,
                                .fault = FAULT_TOO_LARGE,
                                .retry_after_s = -1,
                                .quota_left = -1,
                                .quota_reset_s = -1 };
    const struct call broken = {
        .result = CALL_FAILED, .retry_after_s = -1, .quota_left = -1, .quota_reset_s = -1
    };

    states_forget();
    for (unsigned i = 0; i < REFUSALS_MAX; i++)
        provider_tell(&asked, &broken, ASK_UNAVAILABLE);
    CHECK(!provider_is_in_doubt(&asked));
    for (unsigned i = 0; i < REFUSALS_MAX; i++)
        provider_tell(&asked, &large, ASK_UNAVAILABLE);
    CHECK(provider_is_in_doubt(&asked));
}

/* Its offers prove nothing then. */
static void refused_over_broken_plans(void)
{
    states_forget();
    for (unsigned i = 0; i < BROKEN_MAX; i++)
        provider_found_lying(&asked);
    answered(200, ASK_OFFERED);
    CHECK(provider_is_in_doubt(&asked));
    provider_kept_promise(&asked);
    CHECK(!provider_is_in_doubt(&asked));
    for (unsigned i = 0; i < BROKEN_MAX; i++)
        provider_found_lying(&asked);
    provider_keeps_refusing(&asked, "another recipient");
    answered(200, ASK_OFFERED);
    CHECK(is(PROVIDER_REFUSED));
    provider_kept_promise(&asked);
    test_now_ms += CHECK_REPORTS_MS;
    CHECK(is(PROVIDER_READY));
}

static void counted(void)
{
    struct provider_counts c;

    states_forget();
    told(ASK_OFFERED, 10);
    told(ASK_NO_ROUTE, 5);
    told(ASK_TIMEOUT, 100);
    limited(1, -1);
    c = provider_counts(&asked);
    CHECK(c.asked == 4 && c.answered == 2 && c.took_ms == 115 && c.check_reports == 0);
    CHECK(provider_counts_new(&asked, &c) && c.asked == 4 && c.took_ms == 115);
    provider_counts_kept(&asked, &c);
    CHECK(!provider_counts_new(&asked, &c));
    told(ASK_OFFERED, 10);
    CHECK(provider_counts_new(&asked, &c) && c.asked == 1 && c.answered == 1 && c.took_ms == 10);
}

/* The next process finds what the last one left, as long as they mean the same by it. */
static void shared_by_a_file(void)
{
    char file[] = "/tmp/test_provider_state.XXXXXX", path[sizeof file + 16];
    struct provider_states *first;
    struct provider_counts c;
    int fd = mkstemp(file), first_fd;

    CHECK(fd >= 0);
    snprintf(path, sizeof path, "%s.providers", file);
    states = NULL;
    provider_states_share(file);
    first = states;
    first_fd = states_fd;
    rate = (struct rate_limit){ .units = 1, .window_s = 60 };
    CHECK(provider_admits(&ctx, &asked) == PROVIDER_READY && is(PROVIDER_SPENT));
    told(ASK_OFFERED, 10);
    CHECK(provider_counts_new(&asked, &c) && c.asked == 1);
    states = NULL;
    provider_states_share(file);
    CHECK(states != first && is(PROVIDER_SPENT) && provider_counts(&asked).asked == 1);
    CHECK(!provider_counts_new(&asked, &c)); /* the first one's */
    CHECK(munmap(first, sizeof *first) == 0 && close(first_fd) == 0 && provider_counts_new(&asked, &c));
    states->layout++; /* as after another boot */
    CHECK(close(states_fd) == 0);
    states = NULL;
    provider_states_share(file);
    CHECK(is(PROVIDER_READY));
    states = NULL;
    provider_states_share("/nowhere/counters");
    CHECK(is(PROVIDER_READY));
    unlink(path);
    unlink(file);
    close(fd);
}

TEST_MAIN(TEST(calls_keep_to_the_rate), TEST(half_of_its_rate_is_one_agents),
          TEST(left_alone_when_it_says_so), TEST(twice_as_long_each_time), TEST(spent_by_its_own_count),
          TEST(left_alone_when_silent), TEST(left_alone_when_it_lies),
          TEST(refused_when_a_known_question_is_too), TEST(asked_again_at_growing_intervals),
          TEST(too_large_an_answer_is_unreadable), TEST(refused_over_broken_plans), TEST(counted),
          TEST(shared_by_a_file))
