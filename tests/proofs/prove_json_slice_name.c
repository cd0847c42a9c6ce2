/* scan_name of json_slice.c
 * @bounds all inputs up to 6 bytes
 * @shows no access outside of the input; a name lies within its quotes, and ends before its colon
 * @unwind 8
 */
#include "base/json_slice.c"
#include "proof.h"

enum { INPUT_MAX = 6 };

void harness(void)
{
    ANY_BYTES(bytes, n, INPUT_MAX);
    const char *text = (const char *)bytes;
    struct scan s = { text, text + n };
    struct json_slice name;

    if (!scan_name(&s, &name))
        return;
    MUST(name.text > text && name.text[-1] == '"' && name.text[name.len] == '"');
    MUST(name.text + name.len + 2 <= s.at && s.at <= text + n && s.at[-1] == ':');
}
