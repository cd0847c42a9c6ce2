/* on_header of call.c
 * @bounds all lines up to 6 bytes, as if names had any length
 * @shows no access outside of the line or of what its value is copied to; what an answer tells is not
 * negative
 * @unwind 8
 * @replace header_place:place_any parse_seconds:value_any
 */
#include "bytewise.h"

#include "net/call.c"
#include "proof.h"

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

int64_t *place_any(struct call *c, const char *line, size_t n, size_t *name_len)
{
    ANY(size_t, len);
    ANY(unsigned, which);

    (void)line;
    *name_len = len;
    if (which > 2)
        return NULL;
    SUPPOSE(len < n);
    return which == 0 ? &c->retry_after_s : which == 1 ? &c->quota_left : &c->quota_reset_s;
}

void harness(void)
{
    ANY_BYTES(line, n, LINE_MAX_LEN);
    struct call call = { .retry_after_s = -1, .quota_left = -1, .quota_reset_s = -1 };
    struct slot slot = { .call = &call };

    MUST(on_header((char *)line, 1, n, &slot) == n);
    MUST(call.retry_after_s >= -1 && call.quota_left >= -1 && call.quota_reset_s >= -1);
}
