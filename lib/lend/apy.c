#include "lend/apy.h"

#include <math.h>

static const long double YEAR_S = 31536000, MILLIONTHS = 1e8L; /* of a per cent, in one */

static long double number_of(struct u256 v)
{
    long double n = 0;

    for (size_t i = 4; i-- > 0;)
        n = n * 0x1p64L + (long double)v.limb[i];
    return n;
}

static uint64_t millionths_of(long double yield)
{
    long double n = yield * MILLIONTHS + 0.5L;

    return n < (long double)APY_MOST ? (uint64_t)n : APY_MOST;
}

uint64_t apy_of_year(struct u256 rate)
{
    return millionths_of(expm1l(YEAR_S * log1pl(number_of(rate) / 1e27L / YEAR_S)));
}

uint64_t apy_of_second(struct u256 rate)
{
    return millionths_of(expm1l(number_of(rate) / 1e18L * YEAR_S));
}
