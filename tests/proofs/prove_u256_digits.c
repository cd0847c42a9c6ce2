/* u256_push_digit
 * @bounds all numbers, every digit to the base of 10 and of 16
 * @shows a digit more is exact or refused; so, digit by digit, is any text that u256_parse, u256_parse_hex
 * and amount_parse read: an amount of 2^256 units or more is refused
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
    fits = u256_push_digit(&a, base, digit);
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
