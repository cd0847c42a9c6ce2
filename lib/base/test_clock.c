#include "base/clock.c"
#include "base/test.h"

static void iso8601_of_known_times(void)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        { 0, "1970-01-01T00:00:00.000Z" },
        { -1, "1969-12-31T23:59:59.999Z" },
        { -1000, "1969-12-31T23:59:59.000Z" },
        { 951782400000, "2000-02-29T00:00:00.000Z" },
        { 1769903999123, "2026-01-31T23:59:59.123Z" },
        { 253402300799999, "9999-12-31T23:59:59.999Z" },
        { 253402300800000, "9999-12-31T23:59:59.999Z" },
        { INT64_MAX, "9999-12-31T23:59:59.999Z" },
        { -62167219200000, "0000-01-01T00:00:00.000Z" },
        { INT64_MIN, "0000-01-01T00:00:00.000Z" },
    };
    char text[ISO8601_LEN + 1];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clock_iso8601(text, rows[i].ms);
        CHECK_STR(text, rows[i].text);
    }
}

static void iso8601_is_read_as_others_write_it(void)
{
    static const struct {
        const char *text;
        int64_t ms; /* 0: refused */
    } rows[] = {
        { "2026-01-31T23:59:59.123Z", 1769903999123 },
        { "2026-01-31T23:59:59Z", 1769903999000 },
        { "2026-02-01T01:59:59.5+02:00", 1769903999500 },
        { "2026-01-31T22:29:59-01:30", 1769903999000 },
        { "2026-01-31T23:59:59.1234567Z", 1769903999123 },
        { "2026-01-31", 0 },
        { "2026-01-31T23:59:59", 0 },
        { "2026-01-31T23:59:59.123Zx", 0 },
        { "2026-01-31T23:59:59+0200", 0 },
        { "2026-13-31T23:59:59Z", 0 },
        { "1969-12-31T23:59:59Z", 0 },
        { "yesterday", 0 },
        { "", 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ms = 0;

        CHECK(clock_parse_iso8601(&ms, rows[i].text) == (rows[i].ms != 0));
        CHECK(rows[i].ms == 0 || ms == rows[i].ms);
    }
}

static void dates_are_those_of_the_c_library(void)
{
    const time_t first = -62167219200, last = 253402300799;

    for (time_t t = first; t <= last; t += t > -12000000000 && t < 14000000000 ? 86399 : 86399 * 11) {
        struct clock_date d = clock_date_of(t);
        struct tm tm;

        CHECK(gmtime_r(&t, &tm) != NULL);
        CHECK(d.year == tm.tm_year + 1900 && d.month == tm.tm_mon + 1 && d.day == tm.tm_mday);
        CHECK(d.hour == tm.tm_hour && d.minute == tm.tm_min && d.second == tm.tm_sec);
        CHECK(clock_seconds_of(&d) == t);
    }
}

static void the_clock_can_be_set(void)
{
    clock_fake_ms(5999);
    CHECK(clock_ms() == 5999 && clock_seconds() == 5 && clock_us() == 5999000);
    clock_fake_ms(0);
    CHECK(clock_ms() > 1700000000000);
    CHECK(clock_mono_ms() <= clock_mono_ms());
}

TEST_MAIN(TEST(iso8601_of_known_times), TEST(iso8601_is_read_as_others_write_it),
          TEST(dates_are_those_of_the_c_library), TEST(the_clock_can_be_set))
