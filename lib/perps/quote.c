#include "perps/quote.h"

#include <stdio.h>
#include <strings.h>

#include "base/json_writer.h"
#include "model/decimal.h"
#include "perps/account.h"
#include "perps/margin.h"
#include "perps/markets.h"
#include "perps/number.h"

enum { QUOTE_MAX = 4096 };

static const char LONG[] = "long", SHORT[] = "short";

const char *perps_side_fault(const char *side)
{
    return strcasecmp(side, LONG) == 0 || strcasecmp(side, SHORT) == 0 ? NULL : "must be long or short";
}

/* Whether it has too many decimals, or is more than there is, only its market tells. */
const char *perps_size_fault(const char *size)
{
    uint64_t n = 0;
    enum decimal_fault fault = decimal_exact(&n, size, PERPS_PLACES);

    return fault == DECIMAL_FORM || (fault == DECIMAL_FINE && n == 0) ? "must be a positive number" : NULL;
}

/* ---- what is asked ---- */

static const char *digits_of(struct arena *a, unsigned n)
{
    return arena_printf(a, "%u", n);
}

static const struct err *leverage_refuse(struct arena *a, unsigned most)
{
    return err_on(a, err_fmt(a, &E_PERPS_LEVERAGE, digits_of(a, most), NULL), "leverage");
}

static const struct err *leverage_read(struct arena *a, const char *text, unsigned most, unsigned *out)
{
    uint64_t n = 1;

    if (text != NULL && (decimal_exact(&n, text, 0) != DECIMAL_FINE || n < 1 || n > most))
        return leverage_refuse(a, most);
    *out = (unsigned)n;
    return NULL;
}

static const struct err *too_little_there(struct arena *a)
{
    return err_hint(a, &E_NO_LIQUIDITY, "The visible book has less: GET /perps/market/{name} shows it");
}

/* One that is larger than numbers here can be is larger than any book, too. */
static const struct err *size_read(struct arena *a, const char *text, const struct perps_asset *p,
                                   struct amount *out)
{
    struct amount units;
    uint64_t n = 0;

    switch (decimal_exact(&n, text, p->sz_decimals)) {
    case DECIMAL_FINE:
        break;
    case DECIMAL_RANGE:
        return too_little_there(a);
    case DECIMAL_FORM:
    case DECIMAL_PLACES:
        return err_on(a, err_fmt(a, &E_PERPS_SIZE_PLACES, digits_of(a, p->sz_decimals), NULL), "size");
    }
    units = (struct amount){ u256_from_u64(n), (uint8_t)p->sz_decimals };
    return amount_rescale_up(out, units, PERPS_PLACES) ? NULL : too_little_there(a);
}

static const struct err *market_refuse(struct arena *a, const char *market)
{
    return err_on(a, err_fmt(a, &E_PERPS_MARKET, err_shown(a, market), NULL), "market");
}

static const struct err *terms_read(const struct ctx *ctx, struct arena *a, const struct perps_quote_in *in,
                                    struct perps_asset *p, struct perps_bet *bet)
{
    bool there = false;
    const struct err *e = perps_asset_find(ctx, a, in->market, p, &there);

    if (e != NULL)
        return e;
    if (!there)
        return market_refuse(a, in->market);
    bet->is_short = strcasecmp(in->side, SHORT) == 0;
    return err_both(a, size_read(a, in->size, p, &bet->size),
                    leverage_read(a, in->leverage, perps_leverage_allowed(ctx, p->leverage), &bet->leverage));
}

/* ---- what it would be ---- */

static const struct err *bet_price(const struct ctx *ctx, struct arena *a, const struct perps_asset *p,
                                   struct perps_bet *bet)
{
    struct perps_depth depth;
    const struct err *e = perps_depth_find(ctx, a, p->name, &depth);
    unsigned most;

    if (e != NULL)
        return e;
    if (bet->is_short ? !perps_depth_cost(&bet->cost, depth.bids, depth.bid_count, bet->size)
                      : !perps_depth_cost(&bet->cost, depth.asks, depth.ask_count, bet->size))
        return too_little_there(a);
    most = perps_leverage_allowed(ctx, perps_leverage_at(p, bet->cost));
    return bet->leverage <= most ? NULL : leverage_refuse(a, most);
}

static void amount_as_number(struct json_writer *w, const char *key, struct amount v)
{
    perps_number_write(w, key, amount_text(w->arena, v));
}

static const char *quote_write(struct arena *a, const struct perps_asset *p, const struct perps_bet *bet,
                               const struct perps_estimate *is, const char *funding)
{
    struct json_writer w;

    jw_init(&w, a, QUOTE_MAX);
    jw_object(&w, NULL);
    jw_string(&w, "market", perps_market_name(a, p->name));
    jw_string(&w, "side", bet->is_short ? SHORT : LONG);
    amount_as_number(&w, "size", bet->size);
    jw_integer(&w, "leverage", bet->leverage);
    amount_as_number(&w, "entryPrice", is->entry);
    amount_as_number(&w, "margin", is->margin);
    amount_as_number(&w, "liquidationPrice", is->liquidation);
    perps_number_write(&w, "fundingRate", funding);
    amount_as_number(&w, "fee", is->fee);
    jw_end(&w);
    return jw_finish(&w);
}

const struct err *perps_quote(const struct ctx *ctx, struct arena *a, const struct perps_quote_in *in,
                              const struct wallet *payer, const char **text)
{
    struct perps_asset asset;
    struct perps_bet bet = { .leverage = 0 };
    struct perps_estimate is;
    struct perps_list list;
    struct amount fee_rate;
    const struct perps_market *m;
    const struct err *e;

    if ((e = terms_read(ctx, a, in, &asset, &bet)) != NULL || (e = perps_list(ctx, a, &list)) != NULL ||
        (e = bet_price(ctx, a, &asset, &bet)) != NULL ||
        (e = perps_taker_fee(ctx, a, payer, &fee_rate)) != NULL)
        return e;
    m = perps_list_find(&list, asset.name);
    if (m == NULL)
        return market_refuse(a, in->market);
    if (!perps_estimate(&is, &asset, &bet, fee_rate))
        return too_little_there(a);
    *text = quote_write(a, &asset, &bet, &is, m->funding);
    return *text != NULL ? NULL : &E_INTERNAL;
}
