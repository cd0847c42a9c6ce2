#include "codec/base64.h"

static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url_safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Yields the end of the digits, before any padding. */
static char *encode_digits(char *out, const uint8_t *in, size_t n, const char *alphabet)
{
    uint32_t bits = 0;
    unsigned have = 0;

    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | in[i];
        for (have += 8; have >= 6; have -= 6)
            *out++ = alphabet[bits >> (have - 6) & 63];
    }
    if (have > 0)
        *out++ = alphabet[bits << (6 - have) & 63];
    return out;
}

void base64_encode(char *out, const uint8_t *in, size_t n)
{
    char *end = out + BASE64_LEN(n);
    char *p = encode_digits(out, in, n, standard);

    while (p < end)
        *p++ = '=';
    *p = '\0';
}

void base64url_encode(char *out, const uint8_t *in, size_t n)
{
    *encode_digits(out, in, n, url_safe) = '\0';
}

static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static size_t padding(const char *text, size_t len)
{
    if (len == 0 || text[len - 1] != '=')
        return 0;
    return text[len - 2] == '=' ? 2 : 1;
}

bool base64_decode(uint8_t *out, size_t max, size_t *n, const char *text, size_t text_len)
{
    size_t pad, len, written = 0;
    uint32_t bits = 0;
    unsigned have = 0;

    if (text_len % 4 != 0)
        return false;
    pad = padding(text, text_len);
    len = text_len / 4 * 3 - pad;
    if (len > max)
        return false;
    for (size_t i = 0; i < text_len - pad; i++) {
        int v = digit_value(text[i]);

        if (v < 0)
            return false;
        bits = bits << 6 | (uint32_t)v;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[written++] = (uint8_t)(bits >> have);
        }
    }
    *n = len;
    return (bits & ((1U << have) - 1)) == 0; /* bits that no byte took */
}
