#include "store/test_store.h"
#include "store/upstream_cache.h"

static const uint8_t rain[HASH_LEN] = { 1 };

static enum upstream_answer take(const struct uuid *asker, const char **text)
{
    unsigned age_ms;

    return upstream_cache_take(db, a, rain, 1000, 5000, asker, text, &age_ms);
}

static const char *last_of(const uint8_t question[static HASH_LEN], int64_t *now_ms)
{
    struct upstream_last l = { .text = NULL };

    memcpy(l.question, question, HASH_LEN);
    CHECK(upstream_cache_last(db, a, &l, 1, now_ms));
    CHECK((l.text == NULL) == (l.made_ms == 0) && (l.text == NULL) == (*now_ms == 0));
    return l.text;
}

static void one_process_asks_and_the_others_wait(void)
{
    const struct uuid one = uuid_random(), other = uuid_random();
    int64_t now_ms;
    const char *text = NULL;

    CHECK(take(&one, &text) == ANSWER_MINE && take(&other, &text) == ANSWER_ASKED);
    CHECK(last_of(rain, &now_ms) == NULL);
    CHECK(upstream_cache_put(db, rain, &other, "{}", 2) == UNCHANGED);
    CHECK(upstream_cache_put(db, rain, &one, "{\"a\":\"\xc3\xbc\"}", 10) == UPDATED);
    CHECK(take(&other, &text) == ANSWER_CACHED);
    CHECK_STR(text, "{\"a\":\"\xc3\xbc\"}");
}

static void an_old_answer_is_asked_for_again(void)
{
    const struct uuid one = uuid_random(), other = uuid_random();
    int64_t now_ms;
    const char *text = NULL;

    CHECK(raw("UPDATE upstream_cache SET made_at = UTC_TIMESTAMP(3) - INTERVAL 2 SECOND"));
    CHECK(take(&one, &text) == ANSWER_MINE && take(&other, &text) == ANSWER_ASKED);
    CHECK_STR(last_of(rain, &now_ms), "{\"a\":\"\xc3\xbc\"}");
    CHECK(upstream_cache_drop(db, rain, &other) && take(&other, &text) == ANSWER_ASKED);
    CHECK(upstream_cache_drop(db, rain, &one) && take(&other, &text) == ANSWER_MINE);
}

static void its_age_is_told(void)
{
    const struct uuid one = uuid_random();
    const char *text = NULL;
    unsigned age_ms = 0;

    CHECK(raw("UPDATE upstream_cache SET made_at = UTC_TIMESTAMP(3) - INTERVAL 500 SECOND"));
    CHECK(upstream_cache_take(db, a, rain, 1000000, 5000, &one, &text, &age_ms) == ANSWER_CACHED);
    CHECK(age_ms >= 500000 && age_ms < 1000000);
    CHECK(raw("UPDATE upstream_cache SET made_at = UTC_TIMESTAMP(3) + INTERVAL 500 SECOND"));
    CHECK(upstream_cache_take(db, a, rain, 1000000, 5000, &one, &text, &age_ms) == ANSWER_CACHED &&
          age_ms == 0);
}

/* The process that asked may be dead. */
static void a_lease_runs_out(void)
{
    const struct uuid dead = uuid_random(), next = uuid_random();
    const char *text = NULL;

    CHECK(raw("UPDATE upstream_cache SET lease_until = UTC_TIMESTAMP(3)"));
    CHECK(take(&next, &text) == ANSWER_MINE);
    CHECK(upstream_cache_put(db, rain, &dead, "{}", 2) == UNCHANGED);
    CHECK(upstream_cache_put(db, rain, &next, "{}", 2) == UPDATED && take(&dead, &text) == ANSWER_CACHED);
}

/* The newest counts, and no lease is needed for it. */
static void an_answer_that_is_noted(void)
{
    static const uint8_t snow[HASH_LEN] = { 2 };
    int64_t before_ms = 0, now_ms = 0;

    CHECK(db_clock_ms(db, &before_ms));
    CHECK(upstream_cache_note(db, snow, "{}", 2) && upstream_cache_note(db, snow, "{\"b\":1}", 7));
    CHECK_STR(last_of(snow, &now_ms), "{\"b\":1}");
    CHECK(now_ms >= before_ms && now_ms - before_ms < 60 * 1000);
    CHECK(raw("DELETE FROM upstream_cache WHERE answer LIKE '%b%'"));
}

/* The database may return the answers in any order. */
static void several_are_read_at_once(void)
{
    struct upstream_last list[UPSTREAM_LAST_MAX] = { { { 9 }, NULL, 0 },
                                                     { { 8 }, NULL, 0 },
                                                     { { 7 }, NULL, 0 } };
    int64_t now_ms;

    CHECK(upstream_cache_note(db, list[0].question, "{\"c\":9}", 7) &&
          upstream_cache_note(db, list[2].question, "{\"c\":7}", 7));
    CHECK(upstream_cache_last(db, a, list, 3, &now_ms) && list[1].text == NULL);
    CHECK_STR(list[0].text, "{\"c\":9}");
    CHECK_STR(list[2].text, "{\"c\":7}");
    CHECK(list[2].made_ms <= now_ms && list[1].made_ms == 0);
    CHECK(raw("DELETE FROM upstream_cache WHERE answer LIKE '%c%'"));
}

static void unused_answers_are_purged(void)
{
    CHECK(upstream_cache_purge(db, 10) == 0);
    CHECK(raw("UPDATE upstream_cache SET used_at = UTC_TIMESTAMP(3) - INTERVAL 61 MINUTE"));
    CHECK(upstream_cache_purge(db, 10) == 1 && NUMBER("SELECT COUNT(*) FROM upstream_cache") == 0);
}

STORE_TEST_MAIN(TEST(one_process_asks_and_the_others_wait), TEST(its_age_is_told),
                TEST(an_old_answer_is_asked_for_again), TEST(a_lease_runs_out), TEST(an_answer_that_is_noted),
                TEST(several_are_read_at_once), TEST(unused_answers_are_purged))
