/* shift_left of u256.c
 * @bounds all numbers of 512 bits, all shifts below 64
 * @shows no bit is lost
 * @unwind 11
 */
#include "codec/u256.c"
#include "proof.h"

typedef unsigned __CPROVER_bitvector[576] shifted;

static shifted limbs_value(const uint64_t *limbs, size_t n)
{
    shifted v = 0;

    while (n-- > 0)
        v = v << 64 | limbs[n];
    return v;
}

void harness(void)
{
    uint64_t v[2 * LIMBS], out[2 * LIMBS + 1];
    ANY(unsigned, bits);

    SUPPOSE(bits < 64);
    shift_left(out, v, 2 * LIMBS, bits);
    MUST(limbs_value(out, 2 * LIMBS + 1) == limbs_value(v, 2 * LIMBS) << bits);
}
