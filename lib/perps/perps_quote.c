#include "perps/perps_quote.h"

#include <stdio.h>
#include <strings.h>

#include "base/json_writer.h"
#include "perps/margin.h"
#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/perps_markets.h"
#include "perps/perps_terms.h"

enum { QUOTE_MAX = 4096 };

static const struct err *terms_read(const struct ctx *ctx, struct arena *a, const struct perps_quote_in *in,
                                    struct perps_asset *p, struct perps_bet *bet)
{
    bool there = false;
    const struct err *e = perps_asset_find(ctx, a, in->market, p, &there);

    if (e != NULL)
        return e;
    if (!there)
        return perps_market_refuse(a, in->market);
    bet->is_short = strcasecmp(in->side, PERPS_SHORT) == 0;
    return err_both(
        a, perps_size_read(a, in->size, p, &bet->size),
        perps_leverage_read(a, in->leverage, perps_leverage_allowed(ctx, p->leverage), &bet->leverage));
}

/* ---- the reference ---- */

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
        return perps_too_little_there(a);
    most = perps_leverage_allowed(ctx, perps_leverage_at(p, bet->cost));
    return bet->leverage <= most ? NULL : perps_leverage_refuse(a, most);
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
    jw_string(&w, "side", bet->is_short ? PERPS_SHORT : PERPS_LONG);
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
    struct perps_bet bet = { .leverage = 1 };
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
        return perps_market_refuse(a, in->market);
    if (!perps_estimate(&is, &asset, &bet, fee_rate))
        return perps_too_little_there(a);
    *text = quote_write(a, &asset, &bet, &is, m->funding);
    return *text != NULL ? NULL : &E_INTERNAL;
}
