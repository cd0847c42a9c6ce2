#include "swap/wallet_portfolio.h"

#include "exec/chain_ops.h"
#include "route/price.h"

/* The price of a holding's token, of which there is one however many wallets hold it. */
static struct price *price_for(struct price *prices, size_t *n, const struct holding **of,
                               const struct holding *h)
{
    for (size_t i = 0; i < *n; i++)
        if (of[i]->token == h->token)
            return &prices[i];
    of[*n] = h;
    return &prices[(*n)++];
}

static bool is_listed(const struct token *t)
{
    return t != NULL && t >= tokens && t < tokens + tokens_count;
}

/* Whether its price is still to be had; under its symbol, where that is the price of another token. */
static bool wants_price(const struct ctx *ctx, struct arena *a, const struct holding *h, bool by_symbol)
{
    return !h->priced && is_listed(h->token) &&
           (!by_symbol || price_of_symbol(ctx, a, h->token->symbol).token != h->token);
}

/* Values what has no price yet: by the price on its own chain, or by that of its symbol. */
static void value_holdings(const struct ctx *ctx, struct arena *a, struct holding *const *list, size_t count,
                           bool by_symbol)
{
    struct price *prices = ARENA_ARRAY(a, struct price, count), **its;
    const struct holding **of = ARENA_ARRAY(a, const struct holding *, count);
    size_t n = 0;

    its = ARENA_ARRAY(a, struct price *, count);
    for (size_t i = 0; i < count; i++)
        its[i] = wants_price(ctx, a, list[i], by_symbol) ? price_for(prices, &n, of, list[i]) : NULL;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        prices[i] = by_symbol ? price_of_symbol(ctx, a, of[i]->token->symbol)
                              : price_of_token(ctx, a, of[i]->chain, of[i]->token);
    prices_ask(ctx, a, prices, n);
    for (size_t i = 0; i < count; i++) {
        struct holding *h = list[i];

        if (its[i] == NULL || its[i]->state != PRICE_KNOWN)
            continue;
        h->priced = amount_times_down(&h->usd, h->balance, its[i]->usd);
        h->by_symbol = by_symbol || (its[i]->token != h->token && !h->token->at_par);
    }
}

void portfolio_value_listed(const struct ctx *ctx, struct arena *a, struct holding *const *list, size_t count)
{
    value_holdings(ctx, a, list, count, false);
}

void portfolio_value_shown(const struct ctx *ctx, struct arena *a, struct holding *const *list, size_t count)
{
    value_holdings(ctx, a, list, count, false);
    value_holdings(ctx, a, list, count, true);
}

static void read_all(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                     const struct chain *only, struct holdings *out)
{
    out->unread = ARENA_ARRAY(a, const struct chain *, chains_count);
    out->total.decimals = RATE_PLACES;
    for (size_t i = 0; chain_families[i] != NULL; i++)
        chain_families[i]->balances(ctx, a, wallets, count, only, out);
}

void portfolio_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                        const struct chain *only, struct holdings *out)
{
    *out = (struct holdings){ .count = 0 };
    read_all(ctx, a, wallets, count, only, out);
}

static void portfolio_value(const struct ctx *ctx, struct arena *a, struct holdings *p)
{
    struct holding **list = ARENA_ARRAY(a, struct holding *, p->count);

    for (size_t i = 0; i < p->count; i++)
        list[i] = &p->held[i];
    value_holdings(ctx, a, list, p->count, false);
    for (size_t i = 0; i < p->count; i++)
        if (p->held[i].priced)
            p->held[i].priced = u256_add(&p->total.raw, p->total.raw, p->held[i].usd.raw);
}

void portfolio_read(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                    const struct chain *only, struct holdings *out)
{
    portfolio_balances(ctx, a, wallets, count, only, out);
    portfolio_value(ctx, a, out);
}

void portfolio_read_with(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                         const struct token *also, size_t also_count, struct holdings *out)
{
    *out = (struct holdings){ .also = also, .also_count = also_count };
    read_all(ctx, a, wallets, count, NULL, out);
    portfolio_value(ctx, a, out);
}
