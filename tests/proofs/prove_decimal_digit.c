/* push_digit of decimal_text.c
 * @bounds all numbers of up to 17 digits, every digit
 * @shows a digit more is exact, and the number has one digit more at most: none of up to 18 digits overflows
 * @unwind 20
 */
#include "model/decimal.c"
#include "proof.h"

typedef unsigned __CPROVER_bitvector[72] wide;

void harness(void)
{
    ANY(uint64_t, sum);
    ANY(unsigned, digit);
    uint64_t before = sum, above = 1; /* 10^i */

    SUPPOSE(digit < 10);
    push_digit(&sum, digit);
    for (int i = 0; i < UNITS_DIGITS; i++, above *= 10)
        MUST(before >= above || (sum < above * 10 && sum == (wide)before * 10 + digit));
}
