#include "predict/order_worth.h"

#include "model/amount.h"
#include "venue/polymarket_order.h"

enum { SCALE_PLACES = RATE_PLACES + POLYMARKET_SIZE_PLACES - POLYMARKET_DECIMALS };

_Static_assert(POLYMARKET_PRICE_PLACES + POLYMARKET_SIZE_PLACES == POLYMARKET_DECIMALS,
               "price times size is collateral");

static bool shares_at(struct u256 *out, uint64_t size, struct amount price)
{
    static const struct u256 scale = { { 100000000000000, 0, 0, 0 } };
    struct u256 product, rest;

    _Static_assert(SCALE_PLACES == 14, "scale is its power of ten");
    return u256_mul(&product, u256_from_u64(size), price.raw) && u256_div(out, &rest, product, scale) &&
           (u256_is_zero(rest) || u256_add(out, *out, u256_from_u64(1)));
}

bool order_worth(struct u256 *out, const struct order *o, const char *midpoint)
{
    struct u256 cost = u256_from_u64(order_cost(o)), at_mid;
    struct amount mid;

    if (o->side == ORDER_BUY)
        return u256_add(out, cost, u256_from_u64(o->fee_most));
    if (midpoint == NULL || amount_parse(&mid, midpoint, RATE_PLACES) != AMOUNT_FINE ||
        !shares_at(&at_mid, o->size, mid))
        return false;
    *out = u256_cmp(at_mid, cost) > 0 ? at_mid : cost;
    return true;
}
