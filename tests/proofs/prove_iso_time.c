/* clock_parse_iso8601
 * @bounds all texts up to 10 characters behind the seconds
 * @shows no access outside of the text, no overflow; what is read is after 1970
 * @unwind 13
 */
#include "base/clock.c"
#include "proof.h"

enum { REST_MAX = 10 };

/* What it leaves is all of the text. */
char *strptime(const char *text, const char *format, struct tm *tm)
{
    (void)format;
    (void)tm;
    return (char *)text;
}

time_t timegm(struct tm *tm)
{
    ANY(time_t, seconds);

    (void)tm;
    SUPPOSE(seconds > -(1LL << 40) && seconds < 1LL << 40);
    return seconds;
}

static void check(const char *text, size_t n)
{
    int64_t ms;

    if (clock_parse_iso8601(&ms, text))
        MUST(ms > 0 && n > 0);
}

EACH_TEXT(check, REST_MAX)
