#include "venue/hyperliquid_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PRICE_PLACES = 6, METRICS_END = 100000 };

/* The unit of a number with `places` places. */
static uint64_t unit_of(unsigned places)
{
    uint64_t unit = 1;

    while (places++ < HYPERLIQUID_PLACES)
        unit *= 10;
    return unit;
}

/* ---- sizes ---- */

uint64_t hyperliquid_size_down(uint64_t size, unsigned sz_decimals)
{
    return size - size % unit_of(sz_decimals);
}

bool hyperliquid_size_fits(uint64_t size, unsigned sz_decimals)
{
    return size != 0 && hyperliquid_size_down(size, sz_decimals) == size;
}

/* ---- prices ---- */

/* Between prices of five figures. */
static uint64_t step_of(uint64_t price, unsigned sz_decimals)
{
    uint64_t step = unit_of(sz_decimals < PRICE_PLACES ? PRICE_PLACES - sz_decimals : 0);

    while (price / step >= METRICS_END)
        step *= 10;
    return step;
}

bool hyperliquid_price_fits(uint64_t price, unsigned sz_decimals)
{
    return price != 0 && (price % unit_of(0) == 0 || price % step_of(price, sz_decimals) == 0);
}

bool hyperliquid_price_round(uint64_t *out, uint64_t price, unsigned sz_decimals, bool up)
{
    uint64_t step = step_of(price, sz_decimals), fit = price - price % step;

    if (hyperliquid_price_fits(price, sz_decimals))
        fit = price;
    else if (up && (price == 0 || fit > UINT64_MAX - step))
        return false;
    else if (up)
        fit += step;
    *out = fit;
    return fit != 0;
}

/* ---- text ---- */

void hyperliquid_decimal(char out[static HYPERLIQUID_DECIMAL_LEN + 1], uint64_t v)
{
    size_t n = (size_t)snprintf(out, HYPERLIQUID_DECIMAL_LEN + 1, "%" PRIu64 ".%08" PRIu64, v / unit_of(0),
                                v % unit_of(0));

    while (out[n - 1] == '0')
        out[--n] = '\0';
    if (out[n - 1] == '.')
        out[n - 1] = '\0';
}
