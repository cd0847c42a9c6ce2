#include "route/net.h"

#include <stdlib.h>

#include "route/provider_json.h"

enum { TRADE_GAS_LEAST = 40000 };

uint64_t gas_believed(uint64_t units, const struct chain *c)
{
    bool sane = units >= TRADE_GAS_LEAST && (c->gas_max == 0 || units <= c->gas_max);

    return units == 0 || sane ? units : PROVIDER_JSON_GAS;
}

static bool exchanged(struct u256 *out, struct u256 amount, const struct rate *rate)
{
    *out = U256_ZERO;
    return u256_is_zero(rate->get) || u256_muldiv(out, amount, rate->get, rate->give);
}

/* An offer whose cost overflows is worth nothing. */
static void offer_value(struct offer *o, const struct gas_price *gas)
{
    struct u256 units = u256_from_u64(o->gas_units), coins, cost;

    o->net = o->gas_usd = U256_ZERO;
    if (!exchanged(&o->fee_usd, o->fee, &gas->usd))
        o->fee_usd = U256_ZERO;
    if (!u256_mul(&coins, gas->per_unit, units))
        return;
    if (!exchanged(&o->gas_usd, coins, &gas->usd))
        o->gas_usd = U256_ZERO;
    if (!u256_add(&coins, coins, o->fee) || !exchanged(&cost, coins, &gas->output) ||
        !u256_sub(&o->net, o->out, cost))
        o->net = U256_ZERO;
}

static int offer_cmp(const void *x, const void *y)
{
    const struct offer *a = x, *b = y;
    int by_net = u256_cmp(b->net, a->net);

    return by_net != 0 ? by_net : u256_cmp(b->out, a->out);
}

void offers_rank(struct offer *offers, size_t n, const struct gas_price *gas)
{
    for (size_t i = 0; i < n; i++)
        offer_value(&offers[i], gas);
    qsort(offers, n, sizeof *offers, offer_cmp);
}
