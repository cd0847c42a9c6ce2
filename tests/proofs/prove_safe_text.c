/* safe_text_ok
 * @bounds all texts up to 3 bytes, also such as are no UTF-8
 * @shows no access outside of the text; a text that is taken has no control character
 * of ASCII
 * @unwind 6
 * @options --unwindset deceives.0:11
 */
#include "base/safe_text.c"
#include "proof.h"

enum { TEXT_MAX = 3 };

static void check(const char *text, size_t n)
{
    if (!safe_text_ok(text))
        return;
    for (size_t i = 0; i < n; i++)
        MUST((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

EACH_TEXT(check, TEXT_MAX)
