/* base64_encode, base64_decode
 * @bounds all texts up to 12 characters, all buffers up to 9 bytes
 * @shows no access outside of text and buffer; what is read, written again, is the same text
 * @unwind 14
 */
#include "codec/base64.c"
#include "proof.h"

enum { TEXT_MAX = 12, BYTES_MAX = 9 };

static void check(const uint8_t *bytes, size_t len)
{
    ANY(size_t, max);
    ANY(size_t, at);
    uint8_t all[BYTES_MAX], *out;
    const char *text = (const char *)bytes;
    char again[BASE64_LEN(BYTES_MAX) + 1];
    size_t n;

    SUPPOSE(max <= BYTES_MAX);
    out = all + (BYTES_MAX - max);
    if (!base64_decode(out, max, &n, text, len))
        return;
    MUST(n <= max && BASE64_LEN(n) == len);
    base64_encode(again, out, n);
    MUST(again[len] == '\0');
    SUPPOSE(at < len);
    MUST(again[at] == text[at]);
}

EACH_BYTES(check, TEXT_MAX)
