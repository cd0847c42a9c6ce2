/* push_digit of amount.c
 * @bounds all numbers, every digit
 * @shows a digit more is exact or refused; so is an amount of any length, digit by digit, and 2^256 units or
 * more are refused
 * @unwind 9
 * @with codec/u256.c
 */
#include "model/amount.c"
#include "proof.h"
#include "wide.h"

void harness(void)
{
    ANY(struct u256, a);
    ANY(unsigned, digit);
    wide after = wide_of(a) * 10 + digit;

    SUPPOSE(digit < 10);
    MUST(push_digit(&a, digit) == (after < WIDE_END));
    MUST(after >= WIDE_END || wide_of(a) == after);
}
