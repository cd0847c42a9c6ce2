#include "codec/hex.h"

void hex_encode(char *out, const uint8_t *in, size_t n)
{
    static const char digit[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        *out++ = digit[in[i] >> 4];
        *out++ = digit[in[i] & 15];
    }
    *out = '\0';
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool hex_decode(uint8_t *out, size_t n, const char *text, size_t text_len)
{
    if (text_len % 2 != 0 || text_len / 2 != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        int high = nibble(text[2 * i]), low = nibble(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
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
