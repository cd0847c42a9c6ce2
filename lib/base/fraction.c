#include "base/fraction.h"

/* The error of binary fractions: 0.29 * 1e6 is 289999.99…. Far less than any digit that is cut off. */
static const double BINARY = 1e-6;

bool fraction_ppm(uint32_t *out, const json_t *number)
{
    double v;

    if (!json_is_number(number))
        return false;
    v = json_number_value(number);
    if (!(v >= 0 && v <= 1))
        return false;
    *out = (uint32_t)(v * 1e6 + BINARY);
    return true;
}
