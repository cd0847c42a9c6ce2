/* json_slice_member
 * @bounds all inputs up to 9 bytes, a name of one character
 * @shows no access outside of the input; what is found lies within it
 * @unwind 4
 * @replace scan_value:value_any scan_name:name_any scan_space:space_any
 */
#include "base/json_slice.c"
#include "proof.h"

enum { INPUT_MAX = 9, NAME_SIGNS = 3 };

static bool part_any(struct scan *s, size_t min)
{
    ANY(bool, is_one);
    ANY(size_t, taken);

    MUST(s->at <= s->end);
    SUPPOSE(taken <= (size_t)(s->end - s->at) && (!is_one || taken >= min));
    s->at += taken;
    return is_one;
}

/* Where a value and a name end is shown by itself. */
bool value_any(struct scan *s)
{
    return part_any(s, 1);
}

bool name_any(struct scan *s, struct json_slice *name)
{
    ANY(size_t, len);
    const char *from = s->at;

    if (!part_any(s, NAME_SIGNS))
        return false;
    SUPPOSE(len <= (size_t)(s->at - from) - NAME_SIGNS);
    *name = (struct json_slice){ from + 1, len };
    return true;
}

void space_any(struct scan *s)
{
    (void)part_any(s, 0);
}

void harness(void)
{
    ANY_BYTES(bytes, n, INPUT_MAX);
    const char *text = (const char *)bytes;
    struct json_slice out;

    if (json_slice_member(&out, (struct json_slice){ text, n }, "a"))
        MUST(out.text > text && out.len > 0 && out.len < n && out.text + out.len < text + n);
}
