#include "core/frac.h"

bool frac_ppm(uint32_t *out, const json_t *number)
{
    double v;

    if (!json_is_number(number))
        return false;
    v = json_number_value(number);
    if (!(v >= 0 && v <= 1))
        return false;
    *out = (uint32_t)(v * 1e6 + 0.5);
    return true;
}
