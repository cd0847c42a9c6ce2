/* base58_encode, base58_decode
 * @bounds all texts up to 5 characters, all buffers up to 4 bytes
 * @shows no access outside of text and buffer, both ways; what is read fits
 * @unwind 7
 * @options --unwindset strchr.0:62
 */
#include "codec/base58.c"
#include "proof.h"

enum { TEXT_MAX = 5, BYTES_MAX = 4 };

static void check(const char *text, size_t len)
{
    ANY(size_t, max);
    uint8_t all[BYTES_MAX], *out;
    char again[BASE58_LEN(BYTES_MAX) + 1];
    size_t n;

    SUPPOSE(max <= BYTES_MAX);
    out = all + (BYTES_MAX - max);
    if (!base58_decode(out, max, &n, text))
        return;
    MUST(n <= max);
    base58_encode(again, out, n);
    MUST(strlen(again) < sizeof again);
}

EACH_TEXT(check, TEXT_MAX)
