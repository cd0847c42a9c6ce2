#include "perps/perps_lately.h"

#include <string.h>

#include "perps/margin.h"
#include "perps/number.h"
#include "perps/perps_markets.h"
#include "store/perps_fills.h"
#include "store/perps_orders.h"

static const uint64_t WHOLE_ONE = 100000000; /* of 10^-8 */

/* A position on its way from what is shown to what it is: sizes below 0 are sold. */
struct holding_now {
    const char *asset;
    int64_t size;
    struct u256 entry; /* dollars for one, of 10^-8 */
    unsigned leverage;
    bool isolated;
};

static struct u256 abs_of(int64_t n)
{
    return u256_from_u64(n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static int64_t signed_size(const struct perps_fill *f)
{
    return f->sells ? -(int64_t)f->size : (int64_t)f->size;
}

static struct perps_position *position_in(const struct perps_state *s, const char *asset)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->positions[i].asset, asset) == 0)
            return &s->positions[i];
    return NULL;
}

/* False: it is no size that was ever traded. */
static bool size_shown(int64_t *out, const struct perps_position *p)
{
    struct amount size;
    uint64_t n;

    *out = 0;
    if (p == NULL)
        return true;
    if (!perps_amount(&size, p->size) || !u256_to_u64(&n, size.raw) || n > INT64_MAX)
        return false;
    *out = p->is_short ? -(int64_t)n : (int64_t)n;
    return true;
}

/* By how many of the asset's trades, which come newest first, what is shown is behind; -1: it is none that
 * the position has gone through. */
static int behind_by(int64_t shown, int64_t sum, const struct perps_fill *fills, int n, const char *asset)
{
    int trades = 0;

    for (int i = 0; i < n && sum != shown; i++)
        if (strcmp(fills[i].asset, asset) == 0) {
            sum -= signed_size(&fills[i]);
            trades++;
        }
    return sum == shown ? trades : -1;
}

/* A trade that adds to a position moves its entry, one that reduces it does not, one that turns it begins
 * anew. */
static bool trade_add(struct holding_now *h, const struct perps_fill *f)
{
    int64_t more = signed_size(f), size = h->size + more;
    struct u256 price = u256_from_u64(f->price), before, added;

    if (h->size == 0 || (size < 0) != (h->size < 0))
        h->entry = price;
    else if ((more < 0) == (h->size < 0) &&
             (!u256_mul(&before, h->entry, abs_of(h->size)) || !u256_mul(&added, price, abs_of(more)) ||
              !u256_add(&before, before, added) ||
              !u256_muldiv(&h->entry, before, u256_from_u64(1), abs_of(size))))
        return false;
    h->size = size;
    return true;
}

/* The last `trades` of the asset, from the oldest of them on. */
static bool trades_add(struct holding_now *h, const struct perps_fill *fills, int n, int trades)
{
    int oldest = -1;

    for (int i = 0; i < n && trades > 0; i++)
        if (strcmp(fills[i].asset, h->asset) == 0) {
            oldest = i;
            trades--;
        }
    for (int i = oldest; i >= 0; i--)
        if (strcmp(fills[i].asset, h->asset) == 0 && !trade_add(h, &fills[i]))
            return false;
    return true;
}

static const char *dollars(struct arena *a, struct u256 raw)
{
    return amount_text(a, (struct amount){ raw, PERPS_PLACES });
}

/* The price at which it is lost, if it has its margin alone; "0": at no price, as far as can be told. */
static const char *liquidation_of(const struct ctx *ctx, struct arena *a, const struct holding_now *h)
{
    struct perps_bet bet = { .is_short = h->size < 0,
                             .size = { abs_of(h->size), PERPS_PLACES },
                             .cost = { .decimals = PERPS_WORTH_PLACES },
                             .leverage = h->leverage };
    struct perps_estimate is;
    struct perps_asset asset;
    bool there = false;

    if (perps_asset_find(ctx, a, h->asset, &asset, &there) != NULL || !there ||
        !u256_mul(&bet.cost.raw, h->entry, abs_of(h->size)) ||
        !perps_estimate(&is, &asset, &bet, (struct amount){ .decimals = PERPS_SHARE_PLACES }))
        return "0";
    return amount_text(a, is.liquidation);
}

static bool gain_of(const char **out, struct arena *a, const struct holding_now *h, struct u256 mark)
{
    bool loses = (u256_cmp(mark, h->entry) < 0) != (h->size < 0);
    struct u256 apart = u256_cmp(mark, h->entry) < 0 ? u256_sub_or_zero(h->entry, mark)
                                                     : u256_sub_or_zero(mark, h->entry),
                gain;

    if (!u256_muldiv(&gain, apart, abs_of(h->size), u256_from_u64(WHOLE_ONE)))
        return false;
    *out = arena_printf(a, "%s%s", loses && !u256_is_zero(gain) ? "-" : "", dollars(a, gain));
    return true;
}

static bool position_set(const struct ctx *ctx, struct arena *a, struct perps_position *p,
                         const struct holding_now *h, struct u256 mark)
{
    struct u256 value, margin;

    if (!u256_muldiv(&value, mark, abs_of(h->size), u256_from_u64(WHOLE_ONE)) ||
        !u256_muldiv(&margin, value, u256_from_u64(1), u256_from_u64(h->leverage)))
        return false;
    *p = (struct perps_position){ .asset = h->asset,
                                  .is_short = h->size < 0,
                                  .is_cross = !h->isolated,
                                  .leverage = h->leverage,
                                  .size = dollars(a, abs_of(h->size)),
                                  .entry = dollars(a, h->entry),
                                  .value = dollars(a, value),
                                  .margin = dollars(a, margin),
                                  .liquidation = liquidation_of(ctx, a, h),
                                  .funding = p->funding != NULL ? p->funding : "0" };
    return gain_of(&p->gain, a, h, mark);
}

/* The margin of a position comes off the amount that may leave the account. */
static bool margin_moves(struct arena *a, struct perps_state *s, const char *before, const char *after)
{
    const char *bound = perps_sum(a, s->margin, after), *free = perps_sum(a, s->withdrawable, before);

    if (bound == NULL || free == NULL)
        return false;
    s->margin = perps_difference(a, bound, before);
    s->withdrawable = perps_difference(a, free, after);
    return s->margin != NULL && s->withdrawable != NULL;
}

/* The terms of the last order there, which a new position has. */
static void terms_find(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                       const struct perps_fill *newest, struct holding_now *h)
{
    struct perps_order o;

    if (perps_orders_get(ctx->db, a, w->agent_id, newest->cloid, &o) != LOOKUP_FOUND || o.leverage == 0)
        return;
    h->leverage = o.leverage;
    h->isolated = o.isolated;
}

/* There is room for one more. */
static bool asset_lay(const struct ctx *ctx, struct arena *a, const struct wallet *w, struct perps_state *s,
                      const struct perps_list *list, const struct perps_fill *fills, int n, int first,
                      int64_t shown, int trades)
{
    struct perps_position *p = position_in(s, fills[first].asset), none = { .margin = "0" };
    struct holding_now h = { .asset = fills[first].asset, .size = shown, .leverage = 1 };
    const struct perps_market *m = perps_list_find(list, h.asset);
    const char *before = p != NULL ? p->margin : "0";
    struct amount entry = { U256_ZERO, PERPS_PLACES }, mark;

    if (p != NULL) {
        h.leverage = p->leverage;
        h.isolated = !p->is_cross;
        if (!perps_amount(&entry, p->entry))
            return false;
        h.entry = entry.raw;
    } else {
        terms_find(ctx, a, w, &fills[first], &h);
    }
    if (m == NULL || !perps_amount(&mark, m->mark) || !trades_add(&h, fills, n, trades))
        return false;
    if (h.size == 0) {
        *p = s->positions[--s->count];
        return margin_moves(a, s, before, "0");
    }
    if (p == NULL) {
        p = &s->positions[s->count++];
        *p = none;
    }
    return position_set(ctx, a, p, &h, mark.raw) && margin_moves(a, s, before, p->margin);
}

static bool is_first(const struct perps_fill *fills, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(fills[k].asset, fills[i].asset) == 0)
            return false;
    return true;
}

static void room_make(struct arena *a, struct perps_state *s, int more)
{
    struct perps_position *list = ARENA_ARRAY(a, struct perps_position, s->count + (size_t)more);

    if (s->count > 0)
        memcpy(list, s->positions, s->count * sizeof *list);
    s->positions = list;
}

const struct err *perps_lay_lately(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                   struct perps_state *s)
{
    struct perps_fill *fills;
    int n = perps_fills_lately(ctx->db, a, w->agent_id, w->id, &fills);
    struct perps_list list = { .count = 0 };
    const struct err *e = NULL;

    if (n < 0)
        return &E_INTERNAL;
    room_make(a, s, n);
    for (int i = 0; i < n; i++) {
        int64_t shown, sum;
        int trades;

        if (!is_first(fills, i))
            continue;
        if (!perps_fills_sum(ctx->db, w->id, fills[i].asset, &sum))
            return &E_INTERNAL;
        trades = size_shown(&shown, position_in(s, fills[i].asset))
                     ? behind_by(shown, sum, fills, n, fills[i].asset)
                     : -1;
        if (trades <= 0)
            continue;
        if (list.count == 0 && (e = perps_list(ctx, a, &list)) != NULL)
            return e;
        if (!asset_lay(ctx, a, w, s, &list, fills, n, i, shown, trades))
            return &E_UPSTREAM;
    }
    return NULL;
}
