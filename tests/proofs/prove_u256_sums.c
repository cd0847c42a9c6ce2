/* u256_add, u256_sub, u256_difference, u256_sub_or_zero
 * @bounds all pairs of numbers
 * @shows sums and differences are exact or refused
 * @unwind 5
 */
#include "codec/u256.c"
#include "proof.h"
#include "wide.h"

void harness(void)
{
    ANY(struct u256, a);
    ANY(struct u256, b);
    wide x = wide_of(a), y = wide_of(b);
    struct u256 out;

    MUST(u256_add(&out, a, b) == (x + y < WIDE_END));
    MUST(wide_of(out) == (x + y) % WIDE_END);
    MUST(u256_sub(&out, a, b) == (x >= y));
    MUST(wide_of(out) == (x - y) % WIDE_END);
    MUST(wide_of(u256_difference(a, b)) == wide_of(out));
    MUST(wide_of(u256_sub_or_zero(a, b)) == (x < y ? 0 : wide_of(out)));
}
