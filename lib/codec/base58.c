#include "codec/base58.h"

#include <string.h>

static const char DIGITS[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

enum { BASE = 58 };

/* Both directions build their number with its least significant digit first. */
static void reverse(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint8_t kept = p[i];

        p[i] = p[n - 1 - i];
        p[n - 1 - i] = kept;
    }
}

void base58_encode(char *out, const uint8_t *in, size_t n)
{
    uint8_t *number;
    size_t zeros = 0, len = 0;

    while (zeros < n && in[zeros] == 0)
        out[zeros++] = DIGITS[0];
    number = (uint8_t *)out + zeros;
    for (size_t i = zeros; i < n; i++) {
        unsigned carry = in[i];

        for (size_t j = 0; j < len; j++) {
            carry += (unsigned)number[j] << 8;
            number[j] = (uint8_t)(carry % BASE);
            carry /= BASE;
        }
        for (; carry > 0; carry /= BASE)
            number[len++] = (uint8_t)(carry % BASE);
    }
    reverse(number, len);
    for (size_t i = 0; i < len; i++)
        number[i] = (uint8_t)DIGITS[number[i]];
    number[len] = '\0';
}

bool base58_decode(uint8_t *out, size_t max, size_t *n, const char *text)
{
    size_t zeros = strspn(text, "1"), len = 0;
    uint8_t *number;

    if (zeros > max)
        return false;
    memset(out, 0, zeros);
    number = out + zeros;
    for (const char *p = text + zeros; *p != '\0'; p++) {
        const char *digit = strchr(DIGITS, *p);
        unsigned carry;

        if (digit == NULL)
            return false;
        carry = (unsigned)(digit - DIGITS);
        for (size_t j = 0; j < len; j++) {
            carry += number[j] * (unsigned)BASE;
            number[j] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry > 0 && zeros + len == max)
            return false;
        if (carry > 0)
            number[len++] = (uint8_t)carry;
    }
    reverse(number, len);
    *n = zeros + len;
    return true;
}
