#include "model/perps_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "codec/hex.h"
#include "codec/u256.h"
#include "model/amount.h"

enum { PLACES = 8 };

static const uint64_t UNIT = 100000000;

static const char *const tifs[] = { [PERPS_GTC] = "GTC", [PERPS_IOC] = "IOC", [PERPS_ALO] = "ALO" };

const char *perps_tif_text(enum perps_tif t)
{
    return tifs[t];
}

bool perps_tif_parse(enum perps_tif *out, const char *text)
{
    for (size_t i = 0; i < sizeof tifs / sizeof tifs[0]; i++)
        if (strcasecmp(tifs[i], text) == 0) {
            *out = (enum perps_tif)i;
            return true;
        }
    return false;
}

const char *perps_role_text(enum perps_role r)
{
    return r == PERPS_TAKE_PROFIT ? "takeProfit" : r == PERPS_STOP_LOSS ? "stopLoss" : "order";
}

char *perps_cloid_text(struct arena *a, const uint8_t cloid[static PERPS_CLOID_LEN])
{
    char hex[2 * PERPS_CLOID_LEN + 1];

    hex_encode(hex, cloid, PERPS_CLOID_LEN);
    return arena_printf(a, "0x%s", hex);
}

bool perps_cloid_parse(uint8_t out[static PERPS_CLOID_LEN], const char *text)
{
    size_t n;

    return hex_decode_0x(out, PERPS_CLOID_LEN, &n, text) && n == PERPS_CLOID_LEN;
}

uint64_t perps_worth(uint64_t price, uint64_t size)
{
    struct u256 worth;
    uint64_t out;

    if (!u256_muldiv(&worth, u256_from_u64(price), u256_from_u64(size), u256_from_u64(UNIT)) ||
        !u256_to_u64(&out, worth))
        return UINT64_MAX;
    return out;
}

char *perps_units_text(struct arena *a, int64_t units)
{
    uint64_t size = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;

    return arena_printf(a, "%s%s", units < 0 ? "-" : "",
                        amount_text(a, (struct amount){ u256_from_u64(size), PLACES }));
}
