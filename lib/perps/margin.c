#include "perps/margin.h"

#include "perps/number.h"

enum { DOLLAR_PLACES = 6 };

static const struct u256 ONE = { { 1 } };

static size_t tier_at(const struct perps_asset *p, struct u256 cost)
{
    size_t i = p->tier_count - 1;

    while (i > 0 && u256_cmp(cost, p->tiers[i].from.raw) < 0)
        i--;
    return i;
}

unsigned perps_leverage_at(const struct perps_asset *p, struct amount cost)
{
    unsigned most = p->tiers[tier_at(p, cost.raw)].leverage;

    return most < p->leverage ? most : p->leverage;
}

static bool div_up(struct u256 *out, struct u256 a, struct u256 b)
{
    struct u256 rest;

    return u256_div(out, &rest, a, b) && (u256_is_zero(rest) || u256_add(out, *out, ONE));
}

/* ---- liquidation ----
 *
 * A position of the size n that cost C with leverage L is worth its margin, C / L, and what it has gained. It
 * is lost at the price p at which that is as much as its maintenance, which is n p / 2m - d: m is the most
 * leverage of the tier that n p belongs to, and d makes maintenance continuous where that tier begins. So,
 * with s = 1 for a long and -1 for a short,
 *
 *     p = (C - s (C / L + d)) / (n (1 - s / 2m)) = 2m (CL - s (C + dL)) / (n L (2m - s))
 *
 * As the tiers allow ever less, maintenance is the largest of all tiers' formulas: the position is lost at
 * the first of their prices that the market comes to. */

/* The amount that the tiers up to the i-th take off maintenance; dollars with PERPS_WORTH_PLACES. */
static bool deduction_at(struct u256 *out, const struct perps_asset *p, size_t i)
{
    struct u256 more, less;

    *out = U256_ZERO;
    for (size_t k = 1; k <= i; k++) {
        const struct perps_tier *t = &p->tiers[k];

        if (!u256_div(&more, NULL, t->from.raw, u256_from_u64(2 * (uint64_t)t->leverage)) ||
            !u256_div(&less, NULL, t->from.raw, u256_from_u64(2 * (uint64_t)t[-1].leverage)) ||
            !u256_add(out, *out, u256_difference(more, less)))
            return false;
    }
    return true;
}

/* CL - s (C + dL): false when it does not fit. 0 when it is less. */
static bool value_at(struct u256 *out, const struct perps_bet *bet, struct u256 deduction)
{
    struct u256 leverage = u256_from_u64(bet->leverage), whole, part;

    if (!u256_mul(&whole, bet->cost.raw, leverage) || !u256_mul(&part, deduction, leverage) ||
        !u256_add(&part, part, bet->cost.raw))
        return false;
    if (bet->is_short)
        return u256_add(out, whole, part);
    if (!u256_sub(out, whole, part))
        *out = U256_ZERO;
    return true;
}

/* By the i-th tier's formula, rounded towards the price that it has now. */
static bool liquidation_in(struct u256 *out, const struct perps_asset *p, const struct perps_bet *bet,
                           size_t i)
{
    uint64_t twice = 2 * (uint64_t)p->tiers[i].leverage;
    struct u256 deduction, value, size;

    if (!deduction_at(&deduction, p, i) || !value_at(&value, bet, deduction) ||
        !u256_mul(&value, value, u256_from_u64(twice)) ||
        !u256_mul(&size, bet->size.raw, u256_from_u64(bet->leverage)) ||
        !u256_mul(&size, size, u256_from_u64(bet->is_short ? twice + 1 : twice - 1)))
        return false;
    return bet->is_short ? u256_div(out, NULL, value, size) : div_up(out, value, size);
}

static bool liquidation_of(struct u256 *out, const struct perps_asset *p, const struct perps_bet *bet)
{
    struct u256 price;

    for (size_t i = 0; i < p->tier_count; i++) {
        if (!liquidation_in(&price, p, bet, i))
            return false;
        if (i == 0 || (u256_cmp(price, *out) < 0) == bet->is_short)
            *out = price;
    }
    return true;
}

/* ---- all of it ---- */

static bool entry_of(struct u256 *out, const struct perps_bet *bet)
{
    return bet->is_short ? u256_div(out, NULL, bet->cost.raw, bet->size.raw)
                         : div_up(out, bet->cost.raw, bet->size.raw);
}

static bool dollars_up(struct amount *out, struct amount a)
{
    return amount_rescale_up(out, a, DOLLAR_PLACES);
}

bool perps_estimate(struct perps_estimate *out, const struct perps_asset *p, const struct perps_bet *bet,
                    struct amount fee_rate)
{
    struct amount margin = { .decimals = PERPS_WORTH_PLACES },
                  fee = { .decimals = (uint8_t)(PERPS_WORTH_PLACES + fee_rate.decimals) };

    out->entry.decimals = out->liquidation.decimals = PERPS_PLACES;
    return entry_of(&out->entry.raw, bet) &&
           div_up(&margin.raw, bet->cost.raw, u256_from_u64(bet->leverage)) &&
           dollars_up(&out->margin, margin) && u256_mul(&fee.raw, bet->cost.raw, fee_rate.raw) &&
           dollars_up(&out->fee, fee) && liquidation_of(&out->liquidation.raw, p, bet);
}
