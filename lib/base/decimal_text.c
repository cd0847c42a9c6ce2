#include "base/decimal_text.h"

#include <stdbool.h>
#include <string.h>

static const char DIGITS[] = "0123456789";

/* Reads the exponent after the e; false for anything but a whole number within bounds. */
static bool exponent_read(int *out, const char *text)
{
    bool negative = *text == '-';
    int n = 0;

    if (*text == '-' || *text == '+')
        text++;
    if (*text == '\0' || text[strspn(text, DIGITS)] != '\0')
        return false;
    for (; *text != '\0'; text++)
        if ((n = n * 10 + (*text - '0')) > DECIMAL_EXPONENT_MAX)
            return false;
    *out = negative ? -n : n;
    return true;
}

/* All digits of a mantissa, and how many of them stand before the point; false for another form. */
static bool mantissa_read(const char *text, size_t len, char *digits, size_t *count, int *whole)
{
    size_t before = strspn(text, DIGITS), behind = 0;

    if (before < len && text[before] == '.')
        behind = strspn(text + before + 1, DIGITS);
    if (before == 0 || before + (behind > 0 ? behind + 1 : 0) != len)
        return false;
    memcpy(digits, text, before);
    memcpy(digits + before, text + before + 1, behind);
    *count = before + behind;
    *whole = (int)before;
    return true;
}

/* `digits` with the point behind `whole` of them, which may be negative or beyond the last. */
static const char *plain_write(struct arena *a, const char *digits, size_t count, int whole)
{
    size_t zeros = whole < 1 ? (size_t)(1 - whole) : 0, places, n = 0;
    char *out = arena_alloc(a, zeros + count + (whole > (int)count ? (size_t)whole : 0) + 2);

    for (; zeros > 0; zeros--)
        out[n++] = '0';
    memcpy(out + n, digits, count);
    n += count;
    for (int i = (int)count; i < whole; i++)
        out[n++] = '0';
    places = whole < (int)count ? (size_t)((int)count - whole) : 0;
    while (places > 0 && out[n - 1] == '0') {
        n--;
        places--;
    }
    if (places > 0) {
        memmove(out + n - places + 1, out + n - places, places);
        out[n++ - places] = '.';
    }
    out[n] = '\0';
    while (out[0] == '0' && out[1] != '.' && out[1] != '\0')
        out++;
    return out;
}

const char *decimal_plain(struct arena *a, const char *text)
{
    size_t len = strnlen(text, DECIMAL_CHARS_MAX + 1), mantissa = strcspn(text, "eE"), count;
    char digits[DECIMAL_CHARS_MAX];
    const char *plain;
    int exponent = 0, whole;

    if (len > DECIMAL_CHARS_MAX ||
        (text[mantissa] != '\0' && !exponent_read(&exponent, text + mantissa + 1)) ||
        !mantissa_read(text, mantissa, digits, &count, &whole))
        return NULL;
    plain = plain_write(a, digits, count, whole + exponent);
    return strspn(plain, DIGITS) <= DECIMAL_WHOLE_MAX ? plain : NULL;
}
