/* parse_seconds of call.c
 * @bounds all texts up to 12 characters, all dates and times up to the year 36000
 * @shows no access outside of the text, and no overflow; what is told is not negative
 * @unwind 15
 */
#include "net/call.c"
#include "proof.h"

enum { TEXT_MAX = 12 };

time_t curl_getdate(const char *text, const time_t *unused)
{
    ANY(time_t, date);

    (void)text;
    (void)unused;
    SUPPOSE(date >= -1 && date < (time_t)1 << 40);
    return date;
}

int64_t clock_seconds(void)
{
    ANY(int64_t, clock);

    SUPPOSE(clock >= 0 && clock < (int64_t)1 << 40);
    return clock;
}

void harness(void)
{
    ANY_TEXT(text, n, TEXT_MAX);

    MUST(parse_seconds(text) >= -1);
}
