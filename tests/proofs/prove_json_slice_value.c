/* scan_value of json_slice.c
 * @bounds all inputs up to 6 bytes
 * @shows no access outside of the input; a value ends within it, and has a byte at least
 * @unwind 8
 * @replace scan_scalar:scalar_any scan_space:space_any
 */
#include "base/json_slice.c"
#include "proof.h"

enum { INPUT_MAX = 6 };

/* Where a scalar ends is shown by itself. */
bool scalar_any(struct scan *s)
{
    ANY(bool, is_one);
    ANY(size_t, taken);

    MUST(s->at <= s->end);
    SUPPOSE(taken <= (size_t)(s->end - s->at) && (!is_one || taken > 0));
    s->at += taken;
    return is_one;
}

void space_any(struct scan *s)
{
    (void)scalar_any(s);
}

void harness(void)
{
    ANY_BYTES(bytes, n, INPUT_MAX);
    const char *text = (const char *)bytes;
    struct scan s = { text, text + n };
    bool read = scan_value(&s);

    MUST(s.at >= text && s.at <= text + n && s.end == text + n);
    MUST(!read || s.at > text);
}
