/* amount_shortfall, amount_rescale_up
 * @bounds all amounts, all decimals up to 36
 * @shows what is missing is one less the share that is there, which is rounded down: it is never told as less
 * than it is; an amount in fewer decimals is rounded up
 * @unwind 38
 * @with codec/u256.c
 */
#include "quotient.h"

#include "model/amount.c"

static void check_shortfall(void)
{
    ANY(struct u256, want);
    ANY(struct u256, have);
    struct ppm missing = amount_shortfall(want, have);

    if (u256_is_zero(want) || u256_cmp(have, want) >= 0) {
        MUST(missing.value == (u256_is_zero(want) ? PPM_NONE : 0));
        return;
    }
    MUST(equal(asked.a, have) && equal(asked.b, u256_from_u64(PPM_ONE)) && equal(asked.by, want));
    SUPPOSE(u256_cmp(asked.quotient, u256_from_u64(PPM_ONE)) < 0); /* as less is there than wanted */
    MUST(missing.value == (asked.fits ? PPM_ONE - asked.quotient.limb[0] : 0));
}

static void check_rescale(void)
{
    ANY(struct amount, a);
    ANY(uint8_t, decimals);
    struct amount out;
    struct u256 up;
    bool done;

    SUPPOSE(a.decimals <= AMOUNT_MAX_DECIMALS && decimals < a.decimals);
    done = amount_rescale_up(&out, a, decimals);
    if (!done)
        return;
    up = asked.quotient;
    MUST(u256_is_zero(asked.rest) || u256_add(&up, up, u256_from_u64(1)));
    MUST(equal(out.raw, up) && out.decimals == decimals);
}

void harness(void)
{
    ANY(bool, rescale);

    if (rescale)
        check_rescale();
    else
        check_shortfall();
}
