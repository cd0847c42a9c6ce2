/* push_digit of u256.c
 * @bounds all numbers, every digit to the base of 10 and of 16
 * @shows a digit more is exact or refused; so, digit by digit, is any text that u256_parse and u256_parse_hex
 * read
 * @unwind 5
 */
#include "codec/u256.c"
#include "proof.h"
#include "wide.h"

static void check_base(struct u256 a, uint64_t base, uint64_t digit)
{
    wide after = wide_of(a) * base + digit;
    bool fits;

    SUPPOSE(digit < base);
    fits = push_digit(&a, base, digit);
    MUST(fits == (after < WIDE_END));
    MUST(wide_of(a) == after % WIDE_END);
}

void harness(void)
{
    ANY(struct u256, a);
    ANY(uint64_t, digit);
    ANY(bool, decimal);

    if (decimal)
        check_base(a, 10, digit);
    else
        check_base(a, 16, digit);
}
