#include "model/decimal.h"

#include <stdbool.h>
#include <string.h>

enum { UNITS_DIGITS = 18, EXPONENT_MAX = 1000000 };

#define DIGITS "0123456789"

/* Significant digits: value = 0.d1 d2 ... dn x 10^point. A point may stand among them. */
struct digits {
    const char *first;
    long n, point;
};

static bool exponent_read(long *out, const char *text)
{
    bool down = *text == '-';
    long n = 0;

    text += *text == '-' || *text == '+';
    if (*text == '\0' || text[strspn(text, DIGITS)] != '\0')
        return false;
    for (; *text != '\0' && n < EXPONENT_MAX; text++)
        n = n * 10 + (*text - '0');
    *out = down ? -n : n;
    return true;
}

/* Zero has no digits. */
static bool digits_read(struct digits *out, const char *text)
{
    size_t whole = strspn(text, DIGITS), part = text[whole] == '.' ? strspn(text + whole + 1, DIGITS) : 0;
    const char *end = text + whole + (text[whole] == '.') + part;
    long exponent = 0;

    if (whole == 0 || (text[whole] == '.' && part == 0))
        return false;
    if (*end == 'e' || *end == 'E' ? !exponent_read(&exponent, end + 1) : *end != '\0')
        return false;
    *out = (struct digits){ .first = text, .n = (long)(whole + part), .point = (long)whole + exponent };
    for (; out->n > 0 && (*out->first == '0' || *out->first == '.'); out->first++)
        if (*out->first == '0') {
            out->n--;
            out->point--;
        }
    for (; out->n > 0 && (end[-1] == '0' || end[-1] == '.'); end--)
        out->n -= end[-1] == '0';
    return true;
}

/* Fits 18 times. */
static void push_digit(uint64_t *sum, unsigned digit)
{
    *sum = *sum * 10 + digit;
}

enum decimal_fault decimal_exact(uint64_t *out, const char *text, unsigned places)
{
    struct digits d;
    uint64_t sum = 0;
    long taken;

    if (!digits_read(&d, text))
        return DECIMAL_FORM;
    taken = d.point + (long)places; /* digits before the last unit, of those that there are or zeros */
    if (d.n > 0 && taken > UNITS_DIGITS)
        return DECIMAL_RANGE;
    for (long i = 0; i < taken && d.n > 0; i++) {
        d.first += *d.first == '.';
        push_digit(&sum, i < d.n ? (unsigned)(*d.first++ - '0') : 0);
    }
    *out = sum;
    return d.n > 0 && d.n > taken ? DECIMAL_PLACES : DECIMAL_FINE;
}
