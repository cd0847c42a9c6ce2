#include "base/test.h"
#include "model/event_attempt.c"

static void attempts_go_both_ways(void)
{
    static const struct event_attempt rows[] = {
        { 1700000000123, 200, 42, NULL },
        { 1700000000124, 500, 7, "HTTP 500" },
        { 1700000000125, 0, 10000, "no answer in time: 10 s" },
    };
    struct event_attempt got[EVENT_ATTEMPTS_KEPT];
    struct arena *a = arena_new();
    char line[EVENT_ATTEMPT_LINE_MAX + 1];
    const char *lines = NULL;

    CHECK(event_attempts_read(got, a, NULL) == 0);
    for (size_t i = 0; i < 3; i++) {
        event_attempt_line(line, &rows[i]);
        lines = lines == NULL ? arena_strdup(a, line) : arena_printf(a, "%s\n%s", lines, line);
    }
    CHECK(event_attempts_read(got, a, lines) == 3);
    for (size_t i = 0; i < 3; i++) {
        CHECK(got[i].at_ms == rows[i].at_ms && got[i].took_ms == rows[i].took_ms);
        CHECK(got[i].response_status == rows[i].response_status);
        CHECK((got[i].error == NULL) == (rows[i].error == NULL));
        CHECK(got[i].error == NULL || strcmp(got[i].error, rows[i].error) == 0);
    }
    arena_free(a);
}

static void an_error_stays_on_its_line(void)
{
    struct event_attempt attempt = { 1, 0, 2, "one\ntwo" }, got[EVENT_ATTEMPTS_KEPT];
    struct arena *a = arena_new();
    char line[EVENT_ATTEMPT_LINE_MAX + 1], longest[EVENT_ERROR_MAX + 1];

    event_attempt_line(line, &attempt);
    CHECK_STR(line, "1 0 2 one two");
    memset(longest, 'x', EVENT_ERROR_MAX);
    longest[EVENT_ERROR_MAX] = '\0';
    attempt = (struct event_attempt){ INT64_MAX, 599, UINT32_MAX, longest };
    event_attempt_line(line, &attempt);
    CHECK(event_attempts_read(got, a, line) == 1 && got[0].at_ms == INT64_MAX &&
          got[0].took_ms == UINT32_MAX);
    CHECK_STR(got[0].error, longest);
    arena_free(a);
}

TEST_MAIN(TEST(attempts_go_both_ways), TEST(an_error_stays_on_its_line))
