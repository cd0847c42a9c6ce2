/* amount_less_ppm_down
 * @bounds all amounts, all shares
 * @shows the least that may arrive is the quotient, rounded down, of the amount times one less the share, by
 * one: never above what was quoted, and less than one unit below; a share above one is refused
 * @unwind 5
 * @with codec/u256.c
 */
#include "quotient.h"

#include "model/amount.c"

void harness(void)
{
    ANY(struct amount, a);
    ANY(uint32_t, share);
    struct amount least;
    bool done = amount_less_ppm_down(&least, a, (struct ppm){ share });

    MUST(share <= PPM_ONE || !done);
    if (!done)
        return;
    MUST(equal(least.raw, asked.quotient) && least.decimals == a.decimals);
    MUST(equal(asked.a, a.raw) && equal(asked.b, u256_from_u64(PPM_ONE - share)));
    MUST(equal(asked.by, u256_from_u64(PPM_ONE)));
}
