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
    return t >= tokens && t < tokens + tokens_count;
}

static void value_holdings(const struct ctx *ctx, struct arena *a, struct holdings *p)
{
    struct price *prices = ARENA_ARRAY(a, struct price, p->count), **its;
    const struct holding **of = ARENA_ARRAY(a, const struct holding *, p->count);
    size_t n = 0;

    its = ARENA_ARRAY(a, struct price *, p->count);
    for (size_t i = 0; i < p->count; i++)
        its[i] = is_listed(p->held[i].token) ? price_for(prices, &n, of, &p->held[i]) : NULL;
    for (size_t i = 0; i < n; i++)
        prices[i] = price_of_token(ctx, a, of[i]->chain, of[i]->token);
    prices_ask(ctx, a, prices, n);
    for (size_t i = 0; i < p->count; i++) {
        struct holding *h = &p->held[i];

        h->priced = its[i] != NULL && its[i]->state == PRICE_KNOWN &&
                    amount_times_down(&h->usd, h->balance, its[i]->usd) &&
                    u256_add(&p->total.raw, p->total.raw, h->usd.raw);
    }
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

void portfolio_value(const struct ctx *ctx, struct arena *a, struct holdings *p)
{
    if (p->count > 0)
        value_holdings(ctx, a, p);
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
