/* on_header of call.c
 * @bounds all lines up to 6 bytes, as if names had any length, and values up to 4
 * @shows no access outside of the line or of what its value is copied to; what an answer tells is not
 * negative
 * @unwind 10
 * @replace header_value:place_any parse_seconds:value_any
 */
#include "bytewise.h"

#include "net/call.h"
#include "proof.h"

#define CALL_NOTICE_MAX 4

#include "net/call.c"

enum { LINE_MAX_LEN = 6 };

/* Names and values are shown by themselves. */
int64_t value_any(const char *value)
{
    ANY(int64_t, seconds);
    size_t n = 0;

    while (n < LINE_MAX_LEN && value[n] != '\0')
        n++;
    MUST(value[n] == '\0');
    SUPPOSE(seconds >= -1);
    return seconds;
}

int64_t clock_seconds(void)
{
    ANY(int64_t, clock);

    SUPPOSE(clock >= 0);
    return clock;
}

/* Whichever name it has. */
const char *place_any(const struct wanted_header *w, const char *line, size_t *n)
{
    ANY(size_t, from);
    ANY(size_t, len);
    ANY(bool, is_wanted);

    (void)w;
    SUPPOSE(from <= *n && len <= *n - from);
    *n = len;
    return is_wanted ? line + from : NULL;
}

void harness(void)
{
    ANY_BYTES(line, n, LINE_MAX_LEN);
    struct call call = { .retry_after_s = -1, .quota_left = -1, .quota_reset_s = -1 };
    struct slot slot = { .call = &call };

    MUST(on_header((char *)line, 1, n, &slot) == n);
    MUST(call.retry_after_s >= -1 && call.quota_left >= -1 && call.quota_reset_s >= -1);
}
