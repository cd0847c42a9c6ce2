#include "policy/value.h"

#include <string.h>

#include "chain/tokens.h"
#include "policy/rule.h"
#include "route/price.h"
#include "store/policies.h"

const struct token *policy_known_token(const struct token_ref *t, const struct chain **c)
{
    struct evm_addr at;

    *c = chain_by_id(t->chain_id);
    return *c != NULL && evm_addr_parse(&at, t->address) ? token_by_addr(*c, at) : NULL;
}

static bool is_ether(const struct token *t, const struct chain *c)
{
    return t != NULL && strcmp(c->native, "ETH") == 0 && (token_is_native(t) || t->wrapped_native);
}

/* Not at a price that somebody has moved for a moment: where its sources differ, or there is none but the
 * pools of now, nothing is said. */
static bool sound(const struct price *p)
{
    return p->has_bounds && !p->apart;
}

/* At the highest. */
static bool worth(struct u256 *out, struct amount a, const struct price *p)
{
    struct amount usd;

    if (!sound(p) || !amount_times_down(&usd, a, p->high))
        return false;
    *out = usd.raw;
    return true;
}

struct wishes {
    bool usd, ether, gas_usd;
};

/* One round of prices: what is given, the coin that pays the fees, ether. */
static void ask_prices(const struct ctx *ctx, struct arena *a, const struct wishes *w, struct policy_case *c)
{
    enum { GIVEN, COIN, ETHER, PRICES };
    const struct chain *chain;
    const struct token *t = policy_known_token(&c->quote->from, &chain), *coin;
    struct amount given = { c->quote->amount_in, c->quote->from.decimals };
    struct price p[PRICES];
    static const struct u256 one = { { 1000000000000000000, 0, 0, 0 } };

    if (t == NULL || (coin = token_find(chain, chain->native)) == NULL)
        return;
    p[GIVEN] = price_of_token(ctx, a, chain, t);
    p[COIN] = price_of_token(ctx, a, chain, coin);
    p[ETHER] = price_of_symbol(ctx, a, "ETH");
    for (size_t i = 0; i < PRICES; i++)
        p[i].wants_bounds = true;
    prices_ask(ctx, a, p, PRICES);
    c->prices_apart = p[GIVEN].apart || (w->gas_usd && p[COIN].apart) || (w->ether && p[ETHER].apart);
    c->has_usd = worth(&c->usd, given, &p[GIVEN]);
    c->has_gas_usd = w->gas_usd && worth(&c->gas_usd, (struct amount){ c->fees, RATE_PLACES }, &p[COIN]);
    if (!c->has_ether)
        c->has_ether = w->ether && c->has_usd && sound(&p[ETHER]) &&
                       u256_muldiv(&c->ether, c->usd, one, p[ETHER].low.raw);
}

static void add_wishes(struct wishes *w, const struct policy_rule *r)
{
    w->usd = w->usd || r->max_usd != NULL;
    w->ether = w->ether || r->max_wei != NULL;
    w->gas_usd = w->gas_usd || r->max_gas_usd != NULL;
}

bool policy_value(const struct ctx *ctx, struct arena *a, struct policy_case *c)
{
    struct wishes w = { false, false, false };
    const struct chain *chain;
    const struct token *t = policy_known_token(&c->quote->from, &chain);
    struct policy *list;
    int n = policies_list(ctx->db, a, c->wallet->agent_id, c->wallet->id, &list);

    for (int i = 0; i < n; i++) {
        struct policy_rule r;

        if (policy_read_stored(&r, &list[i], a))
            add_wishes(&w, &r);
    }
    c->has_usd = c->has_ether = c->has_gas_usd = c->prices_apart = false;
    if (w.ether && is_ether(t, chain)) {
        c->ether = c->quote->amount_in;
        c->has_ether = true;
    }
    if (w.usd || w.gas_usd || (w.ether && !c->has_ether))
        ask_prices(ctx, a, &w, c);
    return n >= 0;
}
