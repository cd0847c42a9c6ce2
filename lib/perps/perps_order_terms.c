#include "perps/perps_order_terms.h"

#include <string.h>
#include <strings.h>

#include "codec/rand.h"
#include "perps/margin.h"
#include "perps/number.h"
#include "perps/perps_account.h"
#include "perps/perps_markets.h"
#include "perps/perps_terms.h"
#include "venue/hyperliquid_format.h"

enum {
    MILLION = 1000000,
    TRIGGER_SLIPPAGE = 100000, /* the venue carries a trigger out with that tolerance */
};

static const uint64_t LEAST_VALUE = 1000000000; /* 10 dollars */

/* ---- meanings of words ---- */

/* A term that this type of order does not have would bound nothing. */
static const struct err *term_refuse(struct arena *a, const char *term, const char *type)
{
    return err_on(a, err_fmt(a, &E_PERPS_TERM, term, type), term);
}

static const struct err *kind_read(struct arena *a, const struct perps_order_in *in, struct perps_order *o)
{
    bool is_limit = in->type != NULL && strcasecmp(in->type, "limit") == 0;

    if (in->type != NULL && !is_limit && strcasecmp(in->type, "market") != 0)
        return err_on(a, &E_PERPS_TYPE, "type");
    o->is_market = !is_limit;
    o->tif = is_limit ? PERPS_GTC : PERPS_IOC;
    if (is_limit && in->tif != NULL && !perps_tif_parse(&o->tif, in->tif))
        return err_on(a, &E_PERPS_TIF, "timeInForce");
    if (is_limit && in->price == NULL)
        return err_on(a, &E_PERPS_PRICE_REQUIRED, "price");
    if (is_limit)
        return in->slippage == NULL ? NULL : term_refuse(a, "slippage", "market");
    if (in->price != NULL)
        return term_refuse(a, "price", "limit");
    return in->tif == NULL || strcasecmp(in->tif, "IOC") == 0 ? NULL : term_refuse(a, "timeInForce", "limit");
}

static const struct err *mode_read(struct arena *a, const struct perps_order_in *in, struct perps_terms *t)
{
    t->has_mode = in->margin_mode != NULL || t->asset.only_isolated;
    t->order.isolated = t->asset.only_isolated;
    if (in->margin_mode == NULL)
        return NULL;
    t->order.isolated = strcasecmp(in->margin_mode, "isolated") == 0;
    if (!t->order.isolated && strcasecmp(in->margin_mode, "cross") != 0)
        return err_on(a, &E_PERPS_MARGIN_MODE, "marginMode");
    return t->asset.only_isolated && !t->order.isolated ? err_on(a, &E_PERPS_ISOLATED, "marginMode") : NULL;
}

static const struct err *leverage_read(const struct ctx *ctx, struct arena *a,
                                       const struct perps_order_in *in, struct perps_terms *t)
{
    t->has_leverage = in->leverage != NULL;
    return perps_leverage_read(a, in->leverage, perps_leverage_allowed(ctx, t->asset.leverage),
                               &t->order.leverage);
}

static const struct err *size_read(struct arena *a, const struct perps_order_in *in, struct perps_terms *t)
{
    struct amount size;
    const struct err *e = perps_size_read(a, in->size, &t->asset, &size);

    if (e == NULL && (!u256_to_u64(&t->order.size, size.raw) || t->order.size > INT64_MAX))
        e = perps_too_little_there(a);
    return e;
}

/* Reads a trigger that ends the position which the order will have opened. */
static const struct err *behind_read(struct arena *a, const char *text, enum perps_role role,
                                     struct perps_terms *t)
{
    const char *field = perps_role_text(role);
    struct perps_order *o = &t->behind[t->behind_count];
    const struct err *e;

    if (text == NULL)
        return NULL;
    *o = t->order;
    o->role = role;
    o->sells = !t->order.sells;
    o->is_market = o->reduce_only = true;
    o->tif = PERPS_IOC;
    rand_bytes(o->cloid, sizeof o->cloid);
    if ((e = perps_price_read(a, text, &t->asset, field, &o->trigger)) != NULL)
        return e;
    t->behind_count++;
    return NULL;
}

static const struct err *numbers_read(const struct ctx *ctx, struct arena *a, const struct perps_order_in *in,
                                      struct perps_terms *t)
{
    const struct err *e = err_both(a, size_read(a, in, t), leverage_read(ctx, a, in, t));

    if (e == NULL && in->price != NULL)
        e = perps_price_read(a, in->price, &t->asset, "price", &t->order.price);
    t->priced = !t->order.is_market;
    return e;
}

const struct err *perps_terms_read(const struct ctx *ctx, struct arena *a, const struct perps_order_in *in,
                                   struct perps_terms *out)
{
    struct perps_order *o = &out->order;
    bool there = false;
    const struct err *e;

    *out = (struct perps_terms){ .slippage = PERPS_USUAL_SLIPPAGE };
    if ((e = perps_asset_find(ctx, a, in->market, &out->asset, &there)) != NULL)
        return e;
    if (!there)
        return perps_market_refuse(a, in->market);
    (void)snprintf(o->asset, sizeof o->asset, "%s", out->asset.name);
    o->sells = strcasecmp(in->side, PERPS_SHORT) == 0;
    o->reduce_only = in->reduce_only;
    rand_bytes(o->cloid, sizeof o->cloid);
    if (in->slippage != NULL)
        out->slippage = perps_slippage_read(in->slippage);
    if ((e = kind_read(a, in, o)) != NULL || (e = mode_read(a, in, out)) != NULL ||
        (e = numbers_read(ctx, a, in, out)) != NULL)
        return e;
    e = behind_read(a, in->take_profit, PERPS_TAKE_PROFIT, out);
    return e != NULL ? e : behind_read(a, in->stop_loss, PERPS_STOP_LOSS, out);
}

/* ---- prices of our own ---- */

/* A price that is worse by that share, and fits: a purchase goes up, a sale down. */
static bool price_worse(uint64_t *out, uint64_t price, uint32_t share, bool sells, unsigned sz_decimals)
{
    struct u256 worse;
    uint64_t n;

    return u256_muldiv(&worse, u256_from_u64(price), u256_from_u64(sells ? MILLION - share : MILLION + share),
                       u256_from_u64(MILLION)) &&
           u256_to_u64(&n, worse) && n <= INT64_MAX && hyperliquid_price_round(out, n, sz_decimals, !sells);
}

static bool units_of(uint64_t *out, const char *number)
{
    struct amount v;

    return number != NULL && perps_amount(&v, number) && u256_to_u64(out, v.raw);
}

/* Half-way between the best orders or, where one side has none, what positions are valued by. */
static const struct err *reference_find(const struct ctx *ctx, struct arena *a, const struct perps_terms *t,
                                        uint64_t *out)
{
    struct perps_list list;
    const struct perps_market *m;
    const struct err *e = perps_list(ctx, a, &list);

    if (e != NULL)
        return e;
    m = perps_list_find(&list, t->asset.name);
    if (m == NULL)
        return perps_market_refuse(a, t->asset.name);
    return units_of(out, m->mid != NULL ? m->mid : m->mark) ? NULL : &E_UPSTREAM;
}

/* The cost of the order now, through the visible book. */
static const struct err *book_cost(const struct ctx *ctx, struct arena *a, const struct perps_terms *t,
                                   struct amount *out)
{
    const struct amount size = { u256_from_u64(t->order.size), PERPS_PLACES };
    struct perps_depth depth;
    const struct err *e = perps_depth_find(ctx, a, t->asset.name, &depth);
    bool enough;

    if (e != NULL)
        return e;
    enough = t->order.sells ? perps_depth_cost(out, depth.bids, depth.bid_count, size)
                            : perps_depth_cost(out, depth.asks, depth.ask_count, size);
    return enough ? NULL : perps_too_little_there(a);
}

static const struct err *prices_set(const struct ctx *ctx, struct arena *a, struct perps_terms *t,
                                    uint64_t *reference)
{
    struct perps_order *o = &t->order;
    const struct err *e = NULL;

    *reference = o->price;
    if (o->is_market && (e = reference_find(ctx, a, t, reference)) != NULL)
        return e;
    if (!t->priced && !price_worse(&o->price, *reference, t->slippage, o->sells, t->asset.sz_decimals))
        return err_on(a, &E_SLIPPAGE, "slippage");
    for (unsigned i = 0; i < t->behind_count; i++)
        if (!price_worse(&t->behind[i].price, t->behind[i].trigger, TRIGGER_SLIPPAGE, t->behind[i].sells,
                         t->asset.sz_decimals))
            return err_on(a, &E_PERPS_PRICE, perps_role_text(t->behind[i].role));
    return NULL;
}

/* Gains are taken above the price that a long pays and losses stopped below it; of a short the other way. */
static const struct err *behind_check(struct arena *a, const struct perps_terms *t, uint64_t reference)
{
    for (unsigned i = 0; i < t->behind_count; i++) {
        const struct perps_order *o = &t->behind[i];
        bool takes = o->role == PERPS_TAKE_PROFIT, above = takes != t->order.sells;

        if (above ? o->trigger <= reference : o->trigger >= reference)
            return err_on(a,
                          err_fmt(a, takes ? &E_PERPS_TAKE_PROFIT : &E_PERPS_STOP_LOSS,
                                  above ? "above" : "below", NULL),
                          perps_role_text(o->role));
    }
    return NULL;
}

/* ---- the account ---- */

static bool reduces(const struct perps_terms *t)
{
    return t->position_state.has_position && t->position_state.held.is_short != t->order.sells;
}

static const struct err *position_check(struct arena *a, const struct perps_terms *t)
{
    const struct perps_order *o = &t->order;

    if (o->reduce_only && !reduces(t))
        return err_fmt(a, &E_PERPS_NO_POSITION, perps_market_name(a, o->asset), NULL);
    if (o->reduce_only && o->size >= t->position_state.held_size)
        return NULL;
    return perps_worth(o->price, o->size) < LEAST_VALUE ? &E_PERPS_MIN_VALUE : NULL;
}

/* An order without a leverage or mode of its own leaves the account's as they are; a leverage that this
 * service does not allow is lowered. */
static const struct err *setting_choose(const struct ctx *ctx, struct arena *a, struct perps_terms *t,
                                        struct amount cost)
{
    const struct perps_leverage *is = &t->position_state.setting;
    unsigned most = perps_leverage_allowed(ctx, perps_leverage_at(&t->asset, cost));

    if (!t->has_leverage)
        t->order.leverage = is->value < most || t->order.reduce_only ? is->value : most;
    else if (t->order.leverage > most)
        return perps_leverage_refuse(a, most);
    if (!t->has_mode)
        t->order.isolated = !is->is_cross;
    t->sets = t->order.leverage != is->value || t->order.isolated == is->is_cross;
    for (unsigned i = 0; i < t->behind_count; i++) {
        t->behind[i].leverage = t->order.leverage;
        t->behind[i].isolated = t->order.isolated;
    }
    return NULL;
}

/* The part of it that makes a position larger. */
static uint64_t enlarges_by(const struct perps_terms *t)
{
    const struct perps_order *o = &t->order;

    if (o->reduce_only)
        return 0;
    if (!reduces(t))
        return o->size;
    return o->size > t->position_state.held_size ? o->size - t->position_state.held_size : 0;
}

/* The margin that `part` of the order binds; `cost` is for all of it, in dollars of PERPS_WORTH_PLACES. */
static bool margin_of(const struct perps_terms *t, struct amount cost, struct amount fee_rate, uint64_t part,
                      struct u256 *out)
{
    struct perps_bet bet = { .size = { u256_from_u64(part), PERPS_PLACES },
                             .cost = cost,
                             .leverage = t->order.leverage };
    struct perps_estimate is;

    *out = U256_ZERO;
    if (part == 0)
        return true;
    if (!u256_muldiv(&bet.cost.raw, cost.raw, u256_from_u64(part), u256_from_u64(t->order.size)))
        return false;
    return perps_estimate(&is, &t->asset, &bet, fee_rate) && u256_add(out, is.margin.raw, is.fee.raw);
}

static bool margin_set(struct perps_terms *t, struct amount cost, struct amount fee_rate)
{
    uint64_t binds = t->order.reduce_only ? 0 : t->order.size;

    return margin_of(t, cost, fee_rate, enlarges_by(t), &t->margin) &&
           margin_of(t, cost, fee_rate, binds, &t->bound);
}

static bool margin_is_there(const struct perps_terms *t)
{
    const struct amount *av =
        t->order.sells ? &t->position_state.available.to_sell : &t->position_state.available.to_buy;
    struct amount needs = { t->margin, PERPS_MARGIN_PLACES };

    return amount_rescale_up(&needs, needs, PERPS_PLACES) && u256_cmp(needs.raw, av->raw) <= 0;
}

/* Funds for all of it are enough for a part. Otherwise the position shows which part enlarges it. */
static const struct err *margin_check(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      struct perps_terms *t, struct amount cost)
{
    struct amount fee_rate;
    const struct err *e = perps_taker_fee(ctx, a, w, &fee_rate);

    if (e != NULL)
        return e;
    if (!margin_set(t, cost, fee_rate))
        return perps_too_little_there(a);
    if (margin_is_there(t))
        return NULL;
    e = perps_position_state_one(ctx, a, w, &t->asset, &t->position_state);
    if (e != NULL)
        return e;
    return margin_set(t, cost, fee_rate) && margin_is_there(t) ? NULL : &E_PERPS_MARGIN;
}

static const struct err *cost_find(const struct ctx *ctx, struct arena *a, const struct perps_terms *t,
                                   struct amount *out)
{
    *out = (struct amount){ .decimals = PERPS_WORTH_PLACES };
    if (t->order.is_market)
        return book_cost(ctx, a, t, out);
    return u256_mul(&out->raw, u256_from_u64(t->order.price), u256_from_u64(t->order.size))
               ? NULL
               : perps_too_little_there(a);
}

const struct err *perps_terms_check(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                    struct perps_terms *t)
{
    uint64_t reference = 0;
    struct amount cost;
    const struct err *e = t->order.reduce_only
                              ? perps_position_state_whole(ctx, a, w, &t->asset, &t->position_state)
                              : perps_position_state(ctx, a, w, &t->asset, &t->position_state);

    if (e != NULL || (e = prices_set(ctx, a, t, &reference)) != NULL ||
        (e = behind_check(a, t, reference)) != NULL || (e = position_check(a, t)) != NULL ||
        (e = cost_find(ctx, a, t, &cost)) != NULL || (e = setting_choose(ctx, a, t, cost)) != NULL)
        return e;
    return margin_check(ctx, a, w, t, cost);
}
