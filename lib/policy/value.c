#include "policy/value.h"

#include <string.h>

#include "chain/tokens.h"
#include "policy/rule.h"
#include "route/price.h"
#include "store/policies.h"

static bool token_is_ether(const struct token *t)
{
    const struct chain *c = t == NULL ? NULL : chain_find(t->chain);

    return c != NULL && strcmp(c->native, "ETH") == 0 && (token_is_native(t) || t->wrapped_native);
}

/* A price that somebody could have moved for a moment counts for nothing: its sources must agree, and at
 * least one of them must be more than what the pools say now. */
static bool price_is_sound(const struct price *p)
{
    return p->has_bounds && !p->apart;
}

/* At the highest of the sources. */
static bool price_times(struct u256 *out, struct amount a, const struct price *p)
{
    struct amount usd;

    if (!price_is_sound(p) || !amount_times_down(&usd, a, p->high))
        return false;
    *out = usd.raw;
    return true;
}

/* One round of prices: the token that leaves, the coin that pays the fees, ether. */
static void worth_ask(const struct ctx *ctx, struct arena *a, const struct worth_needed *need,
                      struct outlay *o)
{
    enum { FROM, COIN, ETHER, PRICES };
    static const struct u256 one = { { 1000000000000000000, 0, 0, 0 } };
    const struct chain *chain = chain_by_id(o->from.chain_id);
    const struct token *from = token_known(&o->from);
    const struct token *coin = from == NULL ? NULL : token_find(chain, chain->native);
    struct amount given = { o->amount_in, o->from.decimals };
    struct worth *w = &o->worth;
    struct price p[PRICES];

    if (coin == NULL)
        return;
    p[FROM] = price_of_token(ctx, a, chain, from);
    p[COIN] = price_of_token(ctx, a, chain, coin);
    p[ETHER] = price_of_symbol(ctx, a, "ETH");
    for (size_t i = 0; i < PRICES; i++)
        p[i].wants_bounds = true;
    prices_ask(ctx, a, p, PRICES);
    w->prices_apart = p[FROM].apart || (need->gas_usd && p[COIN].apart) || (need->ether && p[ETHER].apart);
    if (!w->has_usd && !o->amount_unknown)
        w->has_usd = price_times(&w->usd, given, &p[FROM]);
    if (!w->has_gas_usd)
        w->has_gas_usd =
            need->gas_usd && price_times(&w->gas_usd, (struct amount){ o->fees, coin->decimals }, &p[COIN]);
    if (!w->has_ether)
        w->has_ether = need->ether && w->has_usd && price_is_sound(&p[ETHER]) &&
                       u256_muldiv(&w->ether, w->usd, one, p[ETHER].low.raw);
}

/* Nobody needs a price for nothing. */
static struct worth worth_of_nothing(const struct outlay *o)
{
    bool leaves = o->amount_unknown || !u256_is_zero(o->amount_in);

    return (struct worth){ .has_usd = !leaves, .has_ether = !leaves, .has_gas_usd = u256_is_zero(o->fees) };
}

/* Dollars at the venue are dollars. */
static struct worth worth_of_margin(const struct ctx *ctx, struct arena *a, const struct worth_needed *need,
                                    const struct outlay *o)
{
    static const struct u256 one = { { 1000000000000000000, 0, 0, 0 } };
    struct worth w = { .has_usd = o->has_margin, .usd = o->margin, .has_gas_usd = u256_is_zero(o->fees) };
    struct price ether = price_of_symbol(ctx, a, "ETH");

    if (!need->ether || !o->has_margin)
        return w;
    ether.wants_bounds = true;
    prices_ask(ctx, a, &ether, 1);
    w.prices_apart = ether.apart;
    w.has_ether = price_is_sound(&ether) && u256_muldiv(&w.ether, w.usd, one, ether.low.raw);
    return w;
}

bool policy_value(const struct ctx *ctx, struct arena *a, struct outlay *o)
{
    struct worth_needed need = { false, false, false };
    struct policy *list = NULL;
    int n = o->unlimited ? 0 : policies_list(ctx->db, a, o->agent_id, o->wallet_id, &list);

    for (int i = 0; i < n; i++) {
        struct policy_rule r;

        if (policy_read_stored(&r, &list[i], a) && r.type->need != NULL)
            r.type->need(&need, r.terms);
    }
    o->unlimited = n == 0;
    if (o->asset != NULL) {
        o->worth = worth_of_margin(ctx, a, &need, o);
        return n >= 0;
    }
    o->worth = worth_of_nothing(o);
    if (need.ether && !o->amount_unknown && token_is_ether(token_known(&o->from))) {
        o->worth.ether = o->amount_in;
        o->worth.has_ether = true;
    }
    if ((need.usd && !o->worth.has_usd) || (need.gas_usd && !o->worth.has_gas_usd) ||
        (need.ether && !o->worth.has_ether))
        worth_ask(ctx, a, &need, o);
    return n >= 0;
}
