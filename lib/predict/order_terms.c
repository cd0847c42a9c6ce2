#include "predict/order_terms.h"

#include <string.h>

#include "model/amount.h"
#include "model/decimal.h"

/* A million million shares: what a fill costs fits into 64 bits, whatever the price. */
static const uint64_t SIZE_MAX_UNITS = 100000000000000;

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

static const struct err *expiration_read(struct arena *a, const struct order_in *in, int64_t now_ms,
                                         struct order *o)
{
    uint64_t seconds = 0;

    if (in->expiration != NULL && decimal_exact(&seconds, in->expiration, 0) != DECIMAL_FINE)
        return err_on(a, &E_EXPIRATION, "expiration");
    if (o->type != ORDER_GTD)
        return seconds == 0
                   ? NULL
                   : err_on(a, err_fmt(a, &E_EXPIRATION_TYPE, order_type_text(o->type), NULL), "expiration");
    if (seconds > EXPIRATION_MAX || (int64_t)seconds * 1000 < now_ms + ORDER_GTD_AHEAD_MS)
        return err_on(a, &E_EXPIRATION, "expiration");
    o->expires_ms = (int64_t)seconds * 1000;
    return NULL;
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
    return expiration_read(a, in, now_ms, out);
}

static const char *units_text(struct arena *a, uint64_t n, uint8_t places)
{
    return amount_text(a, (struct amount){ u256_from_u64(n), places });
}

const struct err *order_terms_check(struct arena *a, const struct predict_token *t, struct order *o)
{
    const struct clob_market *rules = &t->rules;

    if (!polymarket_price_fits(o->price, rules->tick)) {
        const char *tick = units_text(a, rules->tick, ORDER_PRICE_PLACES);

        return err_on(a, err_fmt(a, &E_TICK, tick, NULL), "price");
    }
    if (o->size < rules->min_size) {
        const char *least = units_text(a, rules->min_size, ORDER_SIZE_PLACES);

        return err_on(a, err_fmt(a, &E_MIN_SIZE, least, NULL), "size");
    }
    if (!t->accepting)
        return &E_MARKET_PAUSED;
    o->token = t->id;
    o->exchange = (uint8_t)t->exchange;
    o->question = t->question;
    o->outcome = t->outcome;
    memcpy(o->condition, t->condition, sizeof o->condition);
    (void)snprintf(o->market, sizeof o->market, "%s", t->market);
    o->fee_most = 0;
    if (o->side == ORDER_BUY && !o->post_only && !clob_fee(&o->fee_most, rules, o->price, o->size))
        return err_on(a, &E_SIZE, "size");
    return NULL;
}
