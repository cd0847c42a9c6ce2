#include "perps/perps_terms.h"

#include <strings.h>

#include "model/decimal.h"
#include "perps/number.h"
#include "venue/hyperliquid_format.h"

enum { SLIPPAGE_PLACES = 6, SLIPPAGE_ONE = 1000000 };

/* ---- checks ---- */

const char *perps_side_fault(const char *side, const void *env)
{
    (void)env;
    return strcasecmp(side, PERPS_LONG) == 0 || strcasecmp(side, PERPS_SHORT) == 0 ? NULL
                                                                                   : "must be long or short";
}

static const char *positive_fault(const char *text)
{
    uint64_t n = 0;
    enum decimal_fault fault = decimal_exact(&n, text, PERPS_PLACES);

    return fault == DECIMAL_FORM || (fault == DECIMAL_FINE && n == 0) ? "must be a positive number" : NULL;
}

/* Whether it has too many decimals, or is more than there is, only its market tells; so the next one. */
const char *perps_size_fault(const char *size, const void *env)
{
    (void)env;
    return positive_fault(size);
}

const char *perps_price_fault(const char *price, const void *env)
{
    (void)env;
    return positive_fault(price);
}

/* A slippage with more places than count is rounded down. */
const char *perps_slippage_fault(const char *slippage, const void *env)
{
    uint64_t n = 0;
    enum decimal_fault fault = decimal_exact(&n, slippage, SLIPPAGE_PLACES);
    bool fine = fault == DECIMAL_FINE || fault == DECIMAL_PLACES;

    (void)env;
    return fine && n + (fault == DECIMAL_PLACES) <= SLIPPAGE_ONE ? NULL : "must be between 0 and 1";
}

uint32_t perps_slippage_read(const char *text)
{
    uint64_t n = 0;

    (void)decimal_exact(&n, text, SLIPPAGE_PLACES);
    return (uint32_t)n;
}

/* ---- refusals ---- */

static const char *digits_of(struct arena *a, unsigned n)
{
    return arena_printf(a, "%u", n);
}

const struct err *perps_leverage_refuse(struct arena *a, unsigned most)
{
    return err_on(a, err_fmt(a, &E_PERPS_LEVERAGE, digits_of(a, most), NULL), "leverage");
}

const struct err *perps_market_refuse(struct arena *a, const char *market)
{
    return err_on(a, err_fmt(a, &E_PERPS_MARKET, err_shown(a, market), NULL), "market");
}

const struct err *perps_too_little_there(struct arena *a)
{
    return err_hint(a, &E_NO_LIQUIDITY, "The visible book has less: GET /perps/market/{name} shows it");
}

/* ---- reading ---- */

const struct err *perps_leverage_read(struct arena *a, const char *text, unsigned most, unsigned *out)
{
    uint64_t n = 1;

    if (text == NULL)
        return NULL;
    if (decimal_exact(&n, text, 0) != DECIMAL_FINE || n < 1 || n > most)
        return perps_leverage_refuse(a, most);
    *out = (unsigned)n;
    return NULL;
}

/* One that is larger than numbers here can be is larger than any book, too. */
const struct err *perps_size_read(struct arena *a, const char *text, const struct perps_asset *p,
                                  struct amount *out)
{
    struct amount units;
    uint64_t n = 0;

    switch (decimal_exact(&n, text, p->sz_decimals)) {
    case DECIMAL_FINE:
        break;
    case DECIMAL_RANGE:
        return perps_too_little_there(a);
    case DECIMAL_FORM:
    case DECIMAL_PLACES:
        return err_on(a, err_fmt(a, &E_PERPS_SIZE_PLACES, digits_of(a, p->sz_decimals), NULL), "size");
    }
    units = (struct amount){ u256_from_u64(n), (uint8_t)p->sz_decimals };
    return amount_rescale_up(out, units, PERPS_PLACES) ? NULL : perps_too_little_there(a);
}

const struct err *perps_price_read(struct arena *a, const char *text, const struct perps_asset *p,
                                   const char *field, uint64_t *out)
{
    if (decimal_exact(out, text, HYPERLIQUID_PLACES) != DECIMAL_FINE ||
        !hyperliquid_price_fits(*out, p->sz_decimals))
        return err_on(a, &E_PERPS_PRICE, field);
    return NULL;
}
