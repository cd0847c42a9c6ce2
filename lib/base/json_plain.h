/* Bytes of JSON strings that stand for themselves, found eight at a time. */
#ifndef BASE_JSON_PLAIN_H
#define BASE_JSON_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define JSON_EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Whether a byte stands for itself and is ASCII. */
static inline bool json_byte_is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* Whether the eight bytes at s do. While the high bit of each is clear, a subtraction sets that of the first
 * byte which is less than the subtrahend. */
static inline bool json_word_is_plain(const char *s)
{
    uint64_t x, control, quote, backslash;

    memcpy(&x, s, sizeof x);
    control = x - JSON_EACH_BYTE(0x20);
    quote = (x ^ JSON_EACH_BYTE('"')) - JSON_EACH_BYTE(1);
    backslash = (x ^ JSON_EACH_BYTE('\\')) - JSON_EACH_BYTE(1);
    return ((x | control | quote | backslash) & JSON_EACH_BYTE(0x80)) == 0;
}

/* The number of plain bytes from s on. */
static inline size_t json_plain_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i + 8 <= n && json_word_is_plain(s + i))
        i += 8;
    if (n >= 8 && i + 8 > n && json_word_is_plain(s + n - 8))
        return n;
    while (i < n && json_byte_is_plain((unsigned char)s[i]))
        i++;
    return i;
}

#endif
