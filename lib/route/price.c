#include "route/price.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/rpc/node.h"
#include "net/call.h"
#include "route/average.h"
#include "route/feed.h"
#include "route/question.h"
#include "route/uniswap.h"
#include "service/conf.h"

enum { DEADLINE_MS = 2000, SYMBOL_MAX = 32, ALL_MAX = 128 };

/* ---- what is asked ---- */

static char *symbol_in_capitals(struct arena *a, const char *s)
{
    char *out = arena_strdup(a, s);

    for (char *p = out; *p != '\0'; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    return out;
}

/* An amount that moves no pool and still gives enough digits: a hundred units of a stable coin, a tenth of
 * anything else. */
static struct u256 sample_of(const struct token *t)
{
    struct u256 raw = u256_from_u64(t->stable ? 100 : 1);

    for (int i = t->stable ? 0 : 1; i < t->decimals; i++)
        if (!u256_mul(&raw, raw, u256_from_u64(10)))
            return u256_from_u64(1);
    return raw;
}

/* False when the chain has no pools for it, or no node. */
static bool pool_question(const struct ctx *ctx, const struct chain *c, const struct token *t,
                          struct route_in *in)
{
    const struct token *dollar = c->type == CHAIN_EVM ? token_dollar(c, t) : NULL;

    if (dollar == NULL || !nodes_known(ctx->nodes, c))
        return false;
    *in = (struct route_in){
        .from_chain = c,
        .to_chain = c,
        .from = token_ref_of(t),
        .to = token_ref_of(dollar),
        .amount_in = sample_of(t),
    };
    return uniswap.supports(c, c);
}

static struct price price_named(const struct ctx *ctx, struct arena *a, const char *symbol)
{
    struct price p = { .symbol = symbol_in_capitals(a, symbol), .feed = -1 };

    if (feed_configured(ctx))
        p.feed = feed_find(p.symbol);
    if (p.feed >= 0)
        p.state = PRICE_UNAVAILABLE;
    return p;
}

/* Nobody who can have a dollar for it takes less, or pays more. */
static struct price price_at_par(struct price p)
{
    static const struct amount dollar = { { { 1000000000000000000, 0, 0, 0 } }, RATE_PLACES };

    p.state = PRICE_KNOWN;
    p.usd = p.low = p.high = dollar;
    p.has_bounds = true;
    return p;
}

struct price price_of_symbol(const struct ctx *ctx, struct arena *a, const char *symbol)
{
    struct price p = price_named(ctx, a, symbol);
    const char *listed = strcmp(p.symbol, "BTC") == 0 ? "WBTC" : p.symbol;

    if (strlen(listed) > SYMBOL_MAX) /* it is an address */
        return p;
    for (size_t i = 0; i < chains_count && p.chain == NULL; i++) {
        const struct token *t = token_find(&chains[i], listed);
        struct route_in in;

        if (t == NULL)
            continue;
        if (t->at_par)
            return price_at_par(p);
        p.state = PRICE_UNAVAILABLE;
        if (pool_question(ctx, &chains[i], t, &in)) {
            p.chain = &chains[i];
            p.token = t;
        }
    }
    return p;
}

struct price price_of_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct token *t)
{
    struct route_in in;
    struct price p;

    if (t->at_par || !pool_question(ctx, c, t, &in))
        return price_of_symbol(ctx, a, t->symbol);
    p = price_named(ctx, a, t->symbol);
    p.state = PRICE_UNAVAILABLE;
    p.chain = c;
    p.token = t;
    return p;
}

/* ---- the pools ---- */

/* Other tokens are counted in USDC. Where its own pool pays more than a dollar for it, the other coin is
 * worth less. */
static struct amount at_most_a_dollar(struct amount usd)
{
    struct u256 dollar = u256_from_u64(1000000000000000000);

    _Static_assert(RATE_PLACES == 18, "a dollar has as many decimals as a rate");
    if (u256_cmp(usd.raw, dollar) > 0)
        usd.raw = dollar;
    return usd;
}

/* One more price of the same token; `firm` when no trade within a block moves it. */
static void add_source(struct price *p, struct amount usd, bool firm)
{
    if (u256_is_zero(p->high.raw) || u256_cmp(usd.raw, p->low.raw) < 0)
        p->low = usd;
    if (u256_cmp(usd.raw, p->high.raw) > 0)
        p->high = usd;
    p->has_bounds = p->has_bounds || firm;
}

static struct amount pool_price(const struct price *p, struct amount usd)
{
    return strcmp(p->token->symbol, "USDC") == 0 ? at_most_a_dollar(usd) : usd;
}

static void read_average(struct price *p, struct average *q, struct arena *a)
{
    struct amount usd;

    if (average_read(q, a, &usd))
        add_source(p, pool_price(p, usd), true);
}

static bool sources_far_apart(const struct ctx *ctx, const struct price *p)
{
    struct u256 allowed, apart;

    return !u256_sub(&apart, p->high.raw, p->low.raw) ||
           !u256_muldiv(&allowed, p->low.raw, u256_from_u64(ctx->conf->price_divergence_max),
                        u256_from_u64(PPM_ONE)) ||
           u256_cmp(apart, allowed) > 0;
}

static void read_pools(struct price *p, struct question *q, struct arena *a)
{
    const struct route_in *in = &q->in;
    struct u256 best = U256_ZERO;

    question_read(q, a);
    question_rank(q, &q->answer->gas);
    if (q->call->result != CALL_ANSWERED)
        log_warn("msg=\"no price\" symbol=%s why=\"%s\"", p->symbol, q->call->why);
    for (size_t i = 0; i < q->answer->count; i++) /* gas is no part of a price */
        if (u256_cmp(q->answer->offers[i].out, best) > 0)
            best = q->answer->offers[i].out;
    if (!amount_rate(&p->usd, (struct amount){ in->amount_in, in->from.decimals },
                     (struct amount){ best, in->to.decimals }) ||
        amount_is_zero(p->usd))
        return;
    p->usd = pool_price(p, p->usd);
    p->state = PRICE_KNOWN;
    add_source(p, p->usd, false);
}

/* ---- the feed ---- */

static bool any_in_feed(const struct price *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].feed >= 0)
            return true;
    return false;
}

static void use_feed(struct price *p)
{
    const struct feed_price *coin = feed_price(p->feed);

    if (coin == NULL)
        return;
    if (coin->has_usd)
        add_source(p, coin->usd, true);
    if (p->state != PRICE_KNOWN && coin->has_usd) {
        p->usd = coin->usd;
        p->state = PRICE_KNOWN;
    }
    p->has_change = coin->has_change;
    p->change_minus = coin->change_minus;
    p->change_24h = coin->change;
}

/* ---- all of them ---- */

/* One price under way, with its calls. */
struct price_query {
    struct price *price;
    bool pools;
    struct question question; /* then: to them */
    struct call *late;        /* NULL: not asked */
    struct average average;
};

static size_t price_ask(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls)
{
    const struct price *p = x->price;
    struct route_in in;
    size_t n = 0;

    if (p->chain == NULL || !pool_question(ctx, p->chain, p->token, &in))
        return 0;
    x->pools = question_ask(&x->question, &uniswap, &in, &calls[n], ctx, a);
    n += x->pools;
    if (p->wants_bounds && average_ask(&x->average, &calls[n], ctx, p->chain, p->token, a))
        x->late = &calls[n++];
    return n;
}

static void price_read(struct price_query *x, struct arena *a)
{
    if (x->pools) {
        read_pools(x->price, &x->question, a);
        call_free(x->question.call);
    }
    if (x->late != NULL) {
        read_average(x->price, &x->average, a);
        call_free(x->late);
    }
}

void prices_ask(const struct ctx *ctx, struct arena *a, struct price *list, size_t n)
{
    struct call *calls = ARENA_ARRAY(a, struct call, 2 * n + 1);
    struct price_query *each = ARENA_ARRAY(a, struct price_query, n);
    size_t asked = 0;
    bool ask_feed;

    for (size_t i = 0; i < n; i++) {
        each[i].price = &list[i];
        asked += price_ask(&each[i], ctx, a, &calls[asked]);
    }
    ask_feed = any_in_feed(list, n) && feed_ask(&calls[asked], ctx, a);
    (void)calls_run(ctx->net, calls, asked + ask_feed, DEADLINE_MS);
    for (size_t i = 0; i < n; i++)
        price_read(&each[i], a);
    if (ask_feed)
        feed_keep(&calls[asked]);
    for (size_t i = 0; i < n; i++) {
        use_feed(&list[i]);
        list[i].apart = sources_far_apart(ctx, &list[i]);
    }
}

static void add_symbol(const char **list, size_t *n, const char *symbol)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(list[i], symbol) == 0)
            return;
    if (*n < ALL_MAX)
        list[(*n)++] = symbol;
}

const char **price_symbols(const struct ctx *ctx, struct arena *a)
{
    const char **list = ARENA_ARRAY(a, const char *, ALL_MAX + 1);
    size_t n = 0;

    for (size_t i = 0; i < tokens_count; i++)
        add_symbol(list, &n, symbol_in_capitals(a, tokens[i].symbol));
    add_symbol(list, &n, "BTC");
    for (int i = 0; feed_configured(ctx) && i < feed_coins_count; i++)
        add_symbol(list, &n, feed_coins[i].symbol);
    return list;
}
