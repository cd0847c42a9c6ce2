/* Which venue an answer is of, what it says of it, and what agents are told, by a clock of the test's own. */
#include "base/clock.h"
#include "base/test.h"

#include <stdlib.h>

static int64_t test_now_ms;
#define clock_mono_ms() test_now_ms
#include "net/venues.c"

static struct arena *arena;

static void begin(void)
{
    const struct conf conf = { .shm_file = "/nowhere/counters",
                               .predict_gamma_url = "http://one.example/pm/gamma",
                               .predict_clob_url = "http://one.example/pm/clob",
                               .predict_data_url = "https://data.example",
                               .predict_relayer_url = "https://relayer.example",
                               .perps_url = "https://perps.example",
                               .perps_circle_url = "https://circle.example",
                               .lend_morpho_api = "https://morpho.example/graphql",
                               .price_feed_url = "" };

    venues_share(&conf, false);
    alone = (struct venue_states){ .layout = 0 };
    test_now_ms = 1000000;
}

static struct call answer(const char *url, int status, const char *text)
{
    struct call c;

    call_init(&c, url, 1024);
    c.result = CALL_ANSWERED;
    c.status = status;
    buf_adds(&c.answer, text);
    return c;
}

static void heard(const char *url, int status, const char *text)
{
    struct call c = answer(url, status, text);

    venue_hear(&c);
    call_free(&c);
}

static enum venue_service whose(const char *url)
{
    struct call c = answer(url, 200, "");
    enum venue_service v = service_of(&c);

    call_free(&c);
    return v;
}

static void whose_answer_it_is(void)
{
    begin();
    CHECK(whose("http://one.example/pm/gamma/markets?limit=1") == VENUE_GAMMA);
    CHECK(whose("http://one.example/pm/clob/book?token_id=1") == VENUE_CLOB);
    CHECK(whose("http://one.example/pm/clobber") == VENUE_SERVICES);
    CHECK(whose("https://data.example?x=1") == VENUE_DATA);
    CHECK(whose("https://perps.example/info") == VENUE_PERPS);
    CHECK(whose("https://perps.example/exchange") == VENUE_PERPS_EXCHANGE);
    CHECK(whose("https://perps.example/others") == VENUE_SERVICES);
    CHECK(whose("https://morpho.example/graphql") == VENUE_MORPHO_API);
    CHECK(whose("https://node.example/") == VENUE_SERVICES);
}

static void what_leaves_it_in_doubt(void)
{
    static const int refusing[] = { 401, 402, 403, 404, 410, 500, 503 }, others[] = { 400, 422, 429 };

    for (size_t i = 0; i < sizeof refusing / sizeof refusing[0]; i++) {
        begin();
        for (unsigned n = 1; n < REFUSALS_MAX; n++)
            heard("https://relayer.example/submit", refusing[i], "{}");
        CHECK(!venue_is_in_doubt(VENUE_RELAYER));
        heard("https://relayer.example/submit", refusing[i], "{}");
        CHECK(venue_is_in_doubt(VENUE_RELAYER) && !venue_is_in_doubt(VENUE_CLOB));
        heard("https://relayer.example/transactions", 200, "[]");
        CHECK(!venue_is_in_doubt(VENUE_RELAYER));
    }
    begin();
    for (unsigned n = 0; n < 2 * REFUSALS_MAX; n++)
        heard("https://perps.example/exchange", others[n % 3], "{}");
    CHECK(!venue_is_in_doubt(VENUE_PERPS_EXCHANGE));
    for (unsigned n = 0; n < REFUSALS_MAX; n++)
        heard("https://perps.example/info", 200, " \n<html>");
    CHECK(venue_is_in_doubt(VENUE_PERPS));
    for (unsigned n = 0; n < REFUSALS_MAX; n++) {
        const struct call large = { .url = "http://one.example/pm/gamma/markets",
                                    .result = CALL_FAILED,
                                    .fault = FAULT_TOO_LARGE };

        CHECK(!venue_is_in_doubt(VENUE_GAMMA));
        venue_hear(&large);
    }
    CHECK(venue_is_in_doubt(VENUE_GAMMA));
    for (unsigned n = 0; n < BROKEN_MAX; n++)
        venue_senseless(VENUE_CIRCLE);
    heard("https://circle.example/fees", 200, "[]");
    CHECK(venue_is_in_doubt(VENUE_CIRCLE));
}

static void left_alone_and_told(void)
{
    struct call call = answer("http://one.example/pm/clob/book?token_id=1", 500, "");
    const struct err *e;

    begin();
    CHECK(venue_check(arena, VENUE_CLOB) == NULL && venue_failure(arena, &call, &E_UPSTREAM) == &E_UPSTREAM);
    call.status = 403;
    e = venue_failure(arena, &call, &E_UPSTREAM);
    CHECK(err_is(e, &E_PROVIDER_REFUSED) && e->wait_s == WAIT_S);
    call.status = 500;
    for (unsigned n = 0; n < REFUSALS_MAX; n++)
        venue_hear(&call);
    venue_keeps_refusing(VENUE_CLOB, "HTTP 500");
    CHECK(venue_is_refused(VENUE_CLOB) && !venue_is_in_doubt(VENUE_CLOB));
    e = venue_check(arena, VENUE_CLOB);
    CHECK(err_is(e, &E_PROVIDER_REFUSED) && e->wait_s == REFUSALS_AGAIN_MS / 1000);
    CHECK(venue_failure(arena, &call, &E_UPSTREAM)->wait_s == e->wait_s);
    CHECK(venue_calls_run(NULL, &call, 1, 1) == 0 && call.result == CALL_HELD);
    test_now_ms += REFUSALS_AGAIN_MS;
    CHECK(venue_is_in_doubt(VENUE_CLOB) && venue_check(arena, VENUE_CLOB) != NULL);
    venue_keeps_refusing(VENUE_CLOB, "HTTP 500");
    test_now_ms += 2 * REFUSALS_AGAIN_MS - 1;
    CHECK(!venue_is_in_doubt(VENUE_CLOB));
    test_now_ms += 1;
    CHECK(venue_is_in_doubt(VENUE_CLOB));
    test_now_ms += LATE_MS; /* and no job asks */
    CHECK(venue_check(arena, VENUE_CLOB) == NULL);
    venue_serves_us(VENUE_CLOB);
    CHECK(!venue_is_refused(VENUE_CLOB));
    call_free(&call);
}

/* Orders under way are looked at all the same: an answer to one of those ends it. */
static void a_good_answer_ends_it(void)
{
    begin();
    for (unsigned n = 0; n < REFUSALS_MAX; n++)
        heard("https://perps.example/info", 403, "");
    venue_keeps_refusing(VENUE_PERPS, "HTTP 403");
    heard("https://perps.example/info", 200, "{}");
    CHECK(!venue_is_refused(VENUE_PERPS));
    for (unsigned n = 0; n < BROKEN_MAX; n++)
        venue_senseless(VENUE_PERPS);
    venue_keeps_refusing(VENUE_PERPS, "its answer cannot be read");
    heard("https://perps.example/info", 200, "{}");
    CHECK(venue_is_refused(VENUE_PERPS));
}

int main(void)
{
    static const struct test_case cases[] = { TEST(whose_answer_it_is), TEST(what_leaves_it_in_doubt),
                                              TEST(left_alone_and_told), TEST(a_good_answer_ends_it) };
    int status;

    arena = arena_new();
    status = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(arena);
    return status;
}
