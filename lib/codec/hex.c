#include "codec/hex.h"

#define BYTES(high)                                                                                          \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" high "8" high "9" high "a" high  \
         "b" high "c" high "d" high "e" high "f"

void hex_encode(char *out, const uint8_t *in, size_t n)
{
    static const char digits[] = BYTES("0") BYTES("1") BYTES("2") BYTES("3") BYTES("4") BYTES("5") BYTES("6")
        BYTES("7") BYTES("8") BYTES("9") BYTES("a") BYTES("b") BYTES("c") BYTES("d") BYTES("e") BYTES("f");

    for (size_t i = 0; i < n; i++)
        memcpy(out + 2 * i, digits + 2 * (size_t)in[i], 2);
    out[2 * n] = '\0';
}

/* Plus one; 0: not a digit. A table, since branches on the digits of an answer are unpredictable. */
static const uint8_t digit_value[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool hex_decode(uint8_t *out, size_t n, const char *text, size_t text_len)
{
    if (text_len % 2 != 0 || text_len / 2 != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned high = digit_value[(unsigned char)text[2 * i]];
        unsigned low = digit_value[(unsigned char)text[2 * i + 1]];

        if (high == 0 || low == 0)
            return false;
        out[i] = (uint8_t)((high - 1) << 4 | (low - 1));
    }
    return true;
}

bool hex_decode_0x(uint8_t *out, size_t max, size_t *n, const char *text)
{
    size_t digits;

    if (text[0] != '0' || text[1] != 'x')
        return false;
    digits = strlen(text + 2);
    if (digits / 2 > max || !hex_decode(out, digits / 2, text + 2, digits))
        return false;
    *n = digits / 2;
    return true;
}
