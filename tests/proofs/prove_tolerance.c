/* provider_json_tolerance, provider_json_half, provider_json_bps, provider_json_of_bps
 * @bounds all outputs and minima, all limits
 * @shows a provider is asked for a slippage that is within the limit, and no more than the share, rounded
 * down, by which the minimum is below the output; none where it is above
 * @unwind 5
 * @with codec/u256.c
 */
#include "quotient.h"

#include "route/provider_json.c"

enum { BPS_ONE = 10000 };

void harness(void)
{
    ANY(struct u256, out);
    ANY(struct u256, least);
    ANY(uint32_t, limit);
    struct ppm slippage;

    SUPPOSE(limit <= PPM_ONE);
    MUST(provider_json_half((struct ppm){ limit }).value <= limit / 2);
    if (!provider_json_tolerance(&slippage, out, least, (struct ppm){ limit }))
        return;
    MUST(!u256_is_zero(out) && u256_cmp(out, least) >= 0);
    MUST(equal(asked.a, u256_difference(out, least)) && equal(asked.b, u256_from_u64(BPS_ONE)));
    MUST(equal(asked.by, out));
    MUST(slippage.value <= limit);
    MUST(u256_cmp(u256_from_u64(provider_json_bps(slippage)), asked.quotient) <= 0);
}
