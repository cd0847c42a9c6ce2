/* amount_print of amount.c
 * @bounds all numbers up to 4 digits, all decimals up to 4
 * @shows each digit of the number stands at its place, zeros where there is none, a point before those that
 * are decimals, and no zeros to spare
 * @unwind 11
 * @options --max-field-sensitivity-array-size 128
 */
#include "bytewise.h"
#include "proof.h"

/* Of the number: known, so that the places are. */
static size_t digits_len(const char *s);
#define strlen digits_len
#include "model/amount.c"
#undef strlen

enum { DIGITS_MAX = 4, DECIMALS_MAX = 4 };

static char digits[DIGITS_MAX + 1];
static size_t digits_known;

static size_t digits_len(const char *s)
{
    for (size_t i = 0; i < digits_known; i++)
        MUST(s[i] != '\0');
    MUST(s[digits_known] == '\0');
    return digits_known;
}

/* Any number's digits: u256_decimal's are for a proof of their own. */
void u256_decimal(char out[static U256_DECIMAL_LEN + 1], struct u256 a)
{
    (void)a;
    memcpy(out, digits, digits_known + 1);
}

static void any_digits(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ANY(char, c);

        SUPPOSE(c >= '0' && c <= '9');
        digits[i] = c;
    }
    digits[n] = '\0';
    digits_known = n;
    SUPPOSE(n == 1 || digits[0] != '0');
}

static void check_print(size_t n, uint8_t decimals)
{
    char text[TEXT_LEN + 1];
    size_t whole = n > decimals ? n - decimals : 1, places = 0, at = whole + 1;

    any_digits(n);
    amount_print(text, (struct amount){ .decimals = decimals });
    for (size_t i = 0; i < whole; i++)
        MUST(text[i] == (n > decimals ? digits[i] : '0'));
    for (size_t i = 0; i < decimals; i++) { /* those behind the point, from the first */
        size_t from_end = decimals - i;
        char digit = from_end > n ? '0' : digits[n - from_end];

        places = digit != '0' ? i + 1 : places;
    }
    MUST(text[whole] == (places == 0 ? '\0' : '.'));
    for (size_t i = 0; i < decimals; i++, at++) {
        size_t from_end = decimals - i;

        if (i < places)
            MUST(text[at] == (from_end > n ? '0' : digits[n - from_end]));
        if (i + 1 == places)
            MUST(text[at + 1] == '\0');
    }
}

void harness(void)
{
    ANY(size_t, n);
    ANY(uint8_t, decimals);

    for (size_t i = 1; i <= DIGITS_MAX; i++)
        for (uint8_t j = 0; j <= DECIMALS_MAX; j++)
            if (n == i && decimals == j)
                check_print(i, j);
}
