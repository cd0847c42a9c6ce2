/* scan_space, scan_string, scan_scalar of json_slice.c
 * @bounds all inputs up to 4 bytes
 * @shows no access outside of the input; each ends within it, and a string or a scalar has a byte at least
 * @unwind 6
 * @options --unwindset strchr.0:13
 */
#include "base/json_slice.c"
#include "proof.h"

enum { INPUT_MAX = 4 };

void harness(void)
{
    ANY_BYTES(bytes, n, INPUT_MAX);
    const char *text = (const char *)bytes;
    ANY(unsigned, what);
    struct scan s = { text, text + n };
    bool read = false;

    if (what == 0)
        scan_space(&s);
    else
        read = what == 1 ? scan_string(&s) : scan_scalar(&s);
    MUST(s.at >= text && s.at <= text + n && s.end == text + n);
    MUST(!read || s.at > text);
}
