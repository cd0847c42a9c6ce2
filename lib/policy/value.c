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

/* A price that one source says alone, or that one trade could have moved for a moment, counts for nothing:
 * there must be two sources, which agree, and one of them must be more than what the pools say now. */
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

static void raise_to(struct u256 *v, struct u256 least)
{
    if (u256_cmp(*v, least) < 0)
        *v = least;
}

/* The dearer side counts: what leaves is worth no less than the purchase, and a dollar a dollar.
 */
static void worth_of_sides(struct worth *w, const struct spend_facts *o, const struct price *bought_at)
{
    struct u256 bought;

    raise_to(&w->usd, token_dollars(&o->from, o->amount_in));
    raise_to(&w->usd, token_dollars(&o->to, o->amount_out));
    if (bought_at != NULL &&
        price_times(&bought, (struct amount){ o->amount_out, o->to.decimals }, bought_at))
        raise_to(&w->usd, bought);
}

/* One round of prices. */
struct round_of_prices {
    struct price list[4];
    size_t count;
};

static struct price *price_wanted(struct round_of_prices *r, struct price p)
{
    p.wants_bounds = true;
    r->list[r->count] = p;
    return &r->list[r->count++];
}

/* NULL: nothing that has a price is bought. */
static struct price *price_of_bought(struct round_of_prices *r, const struct ctx *ctx, struct arena *a,
                                     const struct spend_facts *o)
{
    const struct token *to = token_known(&o->to);

    return to == NULL || u256_is_zero(o->amount_out)
               ? NULL
               : price_wanted(r, price_of_token(ctx, a, chain_by_id(o->to.chain_id), to));
}

static bool is_apart(const struct price *p)
{
    return p != NULL && p->apart;
}

/* The token that leaves and the one that is bought, the coin that pays the fees, ether. */
static void worth_ask(const struct ctx *ctx, struct arena *a, const struct worth_needed *need,
                      struct spend_facts *o)
{
    static const struct u256 one = { { 1000000000000000000, 0, 0, 0 } };
    const struct chain *chain = chain_by_id(o->from.chain_id);
    const struct token *from = token_known(&o->from);
    const struct token *coin = from == NULL ? NULL : token_find(chain, chain->native);
    const struct price *given, *bought = NULL, *fees = NULL, *ether = NULL;
    struct round_of_prices r = { .count = 0 };
    struct worth *w = &o->worth;

    if (coin == NULL)
        return;
    given = price_wanted(&r, price_of_token(ctx, a, chain, from));
    if (need->usd || need->ether)
        bought = price_of_bought(&r, ctx, a, o);
    if (need->gas_usd)
        fees = price_wanted(&r, price_of_token(ctx, a, chain, coin));
    if (need->ether)
        ether = price_wanted(&r, price_of_symbol(ctx, a, "ETH"));
    prices_ask(ctx, a, r.list, r.count);
    w->prices_apart = given->apart || is_apart(fees) || is_apart(ether);
    if (!w->has_usd && !o->amount_unknown &&
        price_times(&w->usd, (struct amount){ o->amount_in, o->from.decimals }, given)) {
        w->has_usd = true;
        worth_of_sides(w, o, bought);
    }
    if (!w->has_gas_usd)
        w->has_gas_usd =
            fees != NULL && price_times(&w->gas_usd, (struct amount){ o->fees, coin->decimals }, fees);
    if (!w->has_ether)
        w->has_ether = ether != NULL && w->has_usd && price_is_sound(ether) &&
                       u256_muldiv(&w->ether, w->usd, one, ether->low.raw);
    raise_to(&w->ether, token_is_ether(token_known(&o->to)) ? o->amount_out : U256_ZERO);
}

/* Nothing needs no price. */
static struct worth worth_of_nothing(const struct spend_facts *o)
{
    bool leaves = o->amount_unknown || !u256_is_zero(o->amount_in);

    return (struct worth){ .has_usd = !leaves, .has_ether = !leaves, .has_gas_usd = u256_is_zero(o->fees) };
}

/* Dollars at the venue are dollars. */
static struct worth worth_of_margin(const struct ctx *ctx, struct arena *a, const struct worth_needed *need,
                                    const struct spend_facts *o)
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

bool policy_value(const struct ctx *ctx, struct arena *a, struct spend_facts *o)
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
