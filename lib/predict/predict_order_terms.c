#include "predict/predict_order_terms.h"

#include <string.h>

#include "model/amount.h"
#include "model/decimal.h"

/* A million million shares: the cost of a fill fits into 64 bits at any price. */
static const uint64_t SIZE_MAX_UNITS = 100000000000000;

/* A dollar for purchases at once, and a cent: in units. */
enum { ORDER_LEAST_AT_ONCE = 1000000, CENT = 10000 };

/* 9999, in seconds: what databases and clocks take. */
static const uint64_t EXPIRATION_MAX = 253402300799;

const char *order_price_fault(const char *price)
{
    uint64_t p;
    enum decimal_fault fault = decimal_exact(&p, price, ORDER_PRICE_PLACES);
    bool fine = fault == DECIMAL_PLACES || (fault == DECIMAL_FINE && p > 0);

    return fine && p < ORDER_PRICE_ONE ? NULL : "must be a number between 0 and 1, neither included";
}

const char *order_size_fault(const char *size)
{
    uint64_t s;
    enum decimal_fault fault = decimal_exact(&s, size, ORDER_SIZE_PLACES);
    bool fine = fault == DECIMAL_PLACES || (fault == DECIMAL_FINE && s > 0);

    return fine && s <= SIZE_MAX_UNITS ? NULL : "must be a positive number";
}

const struct err *order_terms_read(struct arena *a, const struct order_in *in, int64_t now_ms,
                                   struct order *out)
{
    uint64_t price = 0;

    if (!order_side_parse(&out->side, in->side))
        return err_on(a, &E_SIDE, "side");
    out->type = ORDER_GTC;
    if (in->type != NULL && !order_type_parse(&out->type, in->type))
        return err_on(a, &E_VALIDATION, "type");
    if (decimal_exact(&price, in->price, ORDER_PRICE_PLACES) != DECIMAL_FINE)
        price = 0;
    out->price = (uint32_t)price;
    if (decimal_exact(&out->size, in->size, ORDER_SIZE_PLACES) != DECIMAL_FINE)
        return err_on(a, &E_SIZE_PLACES, "size");
    out->post_only = in->post_only;
    if (in->post_only && (out->type == ORDER_FOK || out->type == ORDER_FAK))
        return err_on(a, err_fmt(a, &E_POST_ONLY, order_type_text(out->type), NULL), "postOnly");
    uint64_t seconds = 0;

    if (in->expiration != NULL && decimal_exact(&seconds, in->expiration, 0) != DECIMAL_FINE)
        return err_on(a, &E_EXPIRATION, "expiration");
    if (out->type != ORDER_GTD)
        return seconds == 0 ? NULL
                            : err_on(a, err_fmt(a, &E_EXPIRATION_TYPE, order_type_text(out->type), NULL),
                                     "expiration");
    if (seconds > EXPIRATION_MAX || (int64_t)seconds * 1000 < now_ms + ORDER_GTD_AHEAD_MS)
        return err_on(a, &E_EXPIRATION, "expiration");
    out->expires_ms = (int64_t)seconds * 1000;
    return NULL;
}

static const char *units_text(struct arena *a, uint64_t n, uint8_t places)
{
    return amount_text(a, (struct amount){ u256_from_u64(n), places });
}

/* The price from the tick to the order's own at which the fee of a given amount of money is the highest: p ^
 * (e - 1) x (1 - p) ^ e has its peak at (e - 1) / (2e - 1). */
static uint32_t dearest_price(const struct clob_market *rules, uint32_t price)
{
    uint32_t e = rules->fee_exponent, peak = e < 2 ? 0 : ORDER_PRICE_ONE * (e - 1) / (2 * e - 1);

    return price < peak ? price : peak < rules->tick ? rules->tick : peak;
}

bool order_fee_most(uint64_t *out, const struct clob_market *rules, const struct order *o)
{
    uint64_t shares;
    uint32_t price;

    *out = 0;
    if (o->side == ORDER_SELL || o->post_only)
        return true;
    if (!order_spends(o))
        return clob_fee(out, rules, o->price, order_shares(o));
    price = dearest_price(rules, o->price);
    return price != 0 &&
           !__builtin_mul_overflow(order_cost(o) / price + 1, (uint64_t)ORDER_SIZE_UNITS, &shares) &&
           clob_fee(out, rules, price, shares);
}

/* Checks the size as the venue counts it, so that orders it would refuse later are refused here. The least
 * size is that of the shares that the money brings, so that a size close to it may be too little once its
 * cost is rounded down. */
static const struct err *size_check(struct arena *a, const struct clob_market *rules, const struct order *o)
{
    uint64_t least = rules->min_size, cost;

    if (order_spends(o) && order_cost(o) < ORDER_LEAST_AT_ONCE)
        return err_on(a, &E_LEAST_AT_ONCE, "size");
    if (order_shares(o) >= least * ORDER_SIZE_UNITS)
        return NULL;
    if (order_spends(o)) {
        cost = least * o->price;
        cost += (CENT - cost % CENT) % CENT;
        least = cost / o->price + (cost % o->price != 0);
    }
    return err_on(a, err_fmt(a, &E_MIN_SIZE, units_text(a, least, ORDER_SIZE_PLACES), NULL), "size");
}

const struct err *order_terms_check(struct arena *a, const struct predict_token *t, struct order *o)
{
    const struct clob_market *rules = &t->rules;
    const struct err *e;

    if (!polymarket_price_fits(o->price, rules->tick)) {
        const char *tick = units_text(a, rules->tick, ORDER_PRICE_PLACES);

        return err_on(a, err_fmt(a, &E_TICK, tick, NULL), "price");
    }
    if ((e = size_check(a, rules, o)) != NULL)
        return e;
    if (!t->accepting)
        return &E_MARKET_PAUSED;
    o->token = t->id;
    o->exchange = (uint8_t)t->exchange;
    o->question = t->question;
    o->outcome = t->outcome;
    memcpy(o->condition, t->condition, sizeof o->condition);
    (void)snprintf(o->market, sizeof o->market, "%s", t->market);
    o->fee_rate = rules->fee_rate;
    o->fee_exponent = rules->fee_exponent;
    return order_fee_most(&o->fee_most, rules, o) ? NULL : err_on(a, &E_SIZE, "size");
}
