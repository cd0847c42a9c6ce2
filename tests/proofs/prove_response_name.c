/* header_place of call.c
 * @bounds all lines up to 24 bytes
 * @shows no access outside of the line; a name is followed by something, and by a place to write to
 * @unwind 25
 */
#include "net/call.c"
#include "proof.h"

enum { LINE_MAX_LEN = 24 };

void harness(void)
{
    ANY_BYTES(line, n, LINE_MAX_LEN);
    struct call call;
    size_t name_len;
    const int64_t *place = header_place(&call, (const char *)line, n, &name_len);

    MUST(place == NULL || name_len < n);
    MUST(place == NULL || place == &call.retry_after_s || place == &call.quota_left ||
         place == &call.quota_reset_s);
}
