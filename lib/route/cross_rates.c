#include "route/cross_rates.h"

#include "chain/tokens.h"
#include "route/gas_price.h"
#include "route/price.h"

enum { CROSS_FROM, CROSS_TO, CROSS_COIN, CROSS_PRICES };

static struct price cross_price(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                const struct token *t)
{
    return t == NULL ? (struct price){ .state = PRICE_UNKNOWN, .feed = -1 } : price_of_token(ctx, a, c, t);
}

/* 10^decimals; zero where that fits into no amount. */
static struct u256 unit_of(uint8_t decimals)
{
    struct u256 unit = u256_from_u64(1);

    while (decimals-- > 0)
        if (!u256_mul(&unit, unit, u256_from_u64(10)))
            return U256_ZERO;
    return unit;
}

/* From smallest units of the one to those of the other; zero where a price is not known. */
static struct rate cross_rate(const struct price *x, uint8_t x_decimals, const struct price *y,
                              uint8_t y_decimals)
{
    struct rate out = { U256_ZERO, U256_ZERO };

    if (x->state != PRICE_KNOWN || y->state != PRICE_KNOWN || u256_is_zero(y->usd.raw) ||
        !u256_mul(&out.give, unit_of(x_decimals), y->usd.raw) ||
        !u256_mul(&out.get, unit_of(y_decimals), x->usd.raw))
        out.get = U256_ZERO;
    return out;
}

/* The worth of the source chain's coin in dollars and in the bought token. */
static struct gas_price coin_rates(const struct route_in *in, const struct price *coin,
                                   const struct price *to)
{
    const struct chain *c = in->from_chain;
    struct gas_price out = { .output = cross_rate(coin, c->native_decimals, to, in->to.decimals) };

    if (coin->state == PRICE_KNOWN)
        out.usd = (struct rate){ unit_of(c->native_decimals), coin->usd.raw };
    return out;
}

static struct price price_kept(const struct ctx *ctx, const struct token_ref *t)
{
    struct price p = { .state = PRICE_UNKNOWN };

    if (price_last(ctx, t, &p.usd))
        p.state = PRICE_KNOWN;
    return p;
}

struct gas_price kept_coin_rates(const struct ctx *ctx, const struct route_in *in)
{
    const struct token *native = token_find(in->from_chain, in->from_chain->native);
    const struct token_ref ref = token_ref_of(native);
    const struct price coin = price_kept(ctx, &ref), to = price_kept(ctx, &in->to);

    return coin_rates(in, &coin, &to);
}

void cross_rates_ask(struct cross_rates *out, const struct ctx *ctx, struct arena *a,
                     const struct route_in *in)
{
    const struct chain *from = in->from_chain;
    struct price p[CROSS_PRICES] = {
        [CROSS_FROM] = cross_price(ctx, a, from, token_known(&in->from)),
        [CROSS_TO] = cross_price(ctx, a, in->to_chain, token_known(&in->to)),
        [CROSS_COIN] = cross_price(ctx, a, from, token_find(from, from->native)),
    };
    struct rate rate;

    prices_ask(ctx, a, p, CROSS_PRICES);
    rate = cross_rate(&p[CROSS_FROM], in->from.decimals, &p[CROSS_TO], in->to.decimals);
    *out = (struct cross_rates){ .gas = coin_rates(in, &p[CROSS_COIN], &p[CROSS_TO]) };
    out->gas.per_unit = gas_price_last(from);
    if (u256_is_zero(rate.get) || !u256_muldiv(&out->reference_out, in->amount_in, rate.get, rate.give))
        out->reference_out = U256_ZERO;
}
