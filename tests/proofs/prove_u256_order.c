/* u256_cmp, u256_is_zero, u256_from_u64, u256_to_u64
 * @bounds all pairs of numbers
 * @shows they are compared as numbers; 64 bits of one are it, or are refused
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
    int order = u256_cmp(a, b);
    uint64_t small;

    MUST((order < 0) == (x < y));
    MUST((order > 0) == (x > y));
    MUST(u256_is_zero(a) == (x == 0));
    MUST(u256_to_u64(&small, a) == (x <= UINT64_MAX));
    MUST(small == (uint64_t)x && wide_of(u256_from_u64(small)) == small);
}
