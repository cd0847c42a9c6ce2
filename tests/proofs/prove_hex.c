/* hex_encode, hex_decode, hex_decode_0x
 * @bounds all texts up to 14 characters, all buffers up to 5 bytes
 * @shows no access outside of text and buffer; what is read, written again, is the text in lower case
 * @unwind 17
 * @options --object-bits 12
 */
#include "codec/hex.c"
#include "proof.h"

enum { TEXT_MAX = 14, BYTES_MAX = 5 };

static bool is_lower_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static void check(const char *text, size_t len)
{
    ANY(size_t, max);
    ANY(size_t, at);
    uint8_t all[BYTES_MAX], *out;
    char again[2 * BYTES_MAX + 1];
    size_t n;

    SUPPOSE(max <= BYTES_MAX);
    out = all + (BYTES_MAX - max);
    if (!hex_decode_0x(out, max, &n, text))
        return;
    MUST(n <= max && len == 2 + 2 * n);
    hex_encode(again, out, n);
    MUST(again[2 * n] == '\0');
    SUPPOSE(at < 2 * n);
    MUST(is_lower_digit(again[at]));
    MUST(again[at] == text[2 + at] || again[at] == (text[2 + at] | 0x20));
}

EACH_TEXT(check, TEXT_MAX)
