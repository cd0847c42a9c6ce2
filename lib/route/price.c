#include "route/price.h"

#include <string.h>

#include "chain/rpc/node_health.h"
#include "route/feed.h"
#include "route/price_source.h"
#include "service/conf.h"

enum { DEADLINE_MS = 2000, CONFIRM_MS = 2500, SYMBOL_MAX = 32, ALL_MAX = 128, SOURCES_NEEDED = 2 };

static const struct price_source *const sources[] = { &pool_prices, &jupiter_prices };

enum { SOURCES = sizeof sources / sizeof sources[0] };

_Static_assert(PRICE_RENEWALS_MAX >= SOURCES + 1, "the feed may be asked too");

/* ---- requests ---- */

const struct price_source *price_source_of(const struct chain *c)
{
    for (size_t i = 0; i < SOURCES; i++)
        if (sources[i]->type == c->type)
            return sources[i];
    return NULL;
}

/* Whether its value can be asked for on that chain. */
static bool is_priced_on(const struct ctx *ctx, const struct chain *c, const struct token *t)
{
    const struct price_source *source = price_source_of(c);

    return source != NULL && source->lists(ctx, c, t);
}

static char *symbol_in_capitals(struct arena *a, const char *s)
{
    char *out = arena_strdup(a, s);

    for (char *p = out; *p != '\0'; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    return out;
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

/* A token that its issuer redeems for a dollar trades at neither less nor more. */
static struct price price_at_par(struct price p)
{
    static const struct amount dollar = { { { 1000000000000000000, 0, 0, 0 } }, RATE_PLACES };

    p.state = PRICE_KNOWN;
    p.usd = p.low = p.high = dollar;
    p.firm = p.has_bounds = true;
    p.sources = SOURCES_NEEDED;
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

        if (t == NULL)
            continue;
        if (t->at_par)
            return price_at_par(p);
        p.state = PRICE_UNAVAILABLE;
        if (is_priced_on(ctx, &chains[i], t)) {
            p.chain = &chains[i];
            p.token = t;
        }
    }
    return p;
}

struct price price_of_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                            const struct token *t)
{
    struct price p;

    if (t->at_par || !is_priced_on(ctx, c, t))
        return price_of_symbol(ctx, a, t->symbol);
    p = price_named(ctx, a, t->symbol);
    p.state = PRICE_UNAVAILABLE;
    p.chain = c;
    p.token = t;
    return p;
}

/* ---- where it comes from ---- */

void price_add(struct price *p, struct amount usd, bool firm)
{
    if (u256_is_zero(p->high.raw) || u256_cmp(usd.raw, p->low.raw) < 0)
        p->low = usd;
    if (u256_cmp(usd.raw, p->high.raw) > 0)
        p->high = usd;
    p->firm = p->firm || firm;
    p->sources++;
    p->has_bounds = p->firm && p->sources >= SOURCES_NEEDED;
}

static bool sources_far_apart(const struct ctx *ctx, const struct price *p)
{
    struct u256 allowed, apart;

    return !u256_sub(&apart, p->high.raw, p->low.raw) ||
           !u256_muldiv(&allowed, p->low.raw, u256_from_u64(ctx->conf->price_divergence_max),
                        u256_from_u64(PPM_ONE)) ||
           u256_cmp(apart, allowed) > 0;
}

/* ---- the feed ---- */

static bool any_in_feed(const struct price *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].feed >= 0)
            return true;
    return false;
}

/* Adds a price of any source to the bounds; it becomes the token's price if no source nearer to the token has
 * reported one. */
static void price_use(struct price *p, const struct feed_price *said)
{
    if (said->has_usd)
        price_add(p, said->usd, true);
    if (p->state != PRICE_KNOWN && said->has_usd) {
        p->usd = said->usd;
        p->state = PRICE_KNOWN;
    }
    if (!said->has_change)
        return;
    p->has_change = true;
    p->change_minus = said->change_minus;
    p->change_24h = said->change;
}

static const struct price_source *source_of(const struct price *p)
{
    return p->chain == NULL ? NULL : price_source_of(p->chain);
}

static void use_kept(struct price *p)
{
    const struct price_source *source = source_of(p);
    const struct feed_price *coin = feed_price(p->feed);
    struct feed_price said;

    if (source != NULL && source->last != NULL && source->last(&said, p->token))
        price_use(p, &said);
    if (coin != NULL)
        price_use(p, coin);
}

bool price_last(const struct ctx *ctx, const struct token_ref *t, struct amount *usd)
{
    const struct chain *c = chain_by_id(t->chain_id);
    const struct price_source *source = c == NULL ? NULL : price_source_of(c);
    const struct token *known = token_known(t);
    struct feed_price said;

    if (source == NULL || known == NULL || source->last == NULL || !source->lists(ctx, c, known) ||
        !source->last(&said, known) || !said.has_usd)
        return feed_usd(ctx, t, usd);
    *usd = said.usd;
    return true;
}

bool price_has_one_source(const struct ctx *ctx, const struct chain *c)
{
    const struct price_source *source = price_source_of(c);

    if (source == NULL || feed_configured(ctx))
        return false;
    return source->confirm != NULL ? !price_has_trader(ctx, c) : nodes_count(ctx->nodes, c) == 1;
}

/* ---- renewals ---- */

void price_renew_feed(struct price_renewal *r, const struct ctx *ctx, struct arena *a)
{
    if (feed_ask(&r->calls[r->count], ctx, a))
        r->keep[r->count++] = feed_keep;
}

static void renew_source(struct price_renewal *r, const struct price_source *s, const struct ctx *ctx,
                         struct arena *a, bool needed)
{
    if (s != NULL && s->renew != NULL && s->renew(&r->calls[r->count], ctx, a, needed))
        r->keep[r->count++] = s->keep;
}

void price_renew_chain(struct price_renewal *r, const struct ctx *ctx, struct arena *a, const struct chain *c,
                       bool needed)
{
    renew_source(r, price_source_of(c), ctx, a, needed);
}

void price_renewed(const struct price_renewal *r)
{
    for (size_t i = 0; i < r->count; i++)
        r->keep[i](&r->calls[i]);
}

/* ---- all of them ---- */

static bool any_from(const struct price *list, size_t n, const struct price_source *source)
{
    for (size_t i = 0; i < n; i++)
        if (source_of(&list[i]) == source)
            return true;
    return false;
}

static void prices_begin(struct price_renewal *r, const struct ctx *ctx, struct arena *a,
                         const struct price *list, size_t n)
{
    if (any_in_feed(list, n))
        price_renew_feed(r, ctx, a);
    for (size_t i = 0; i < SOURCES; i++)
        if (any_from(list, n, sources[i]))
            renew_source(r, sources[i], ctx, a, true);
}

static size_t price_ask(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls)
{
    const struct price_source *source = source_of(x->price);

    return source == NULL || source->ask == NULL ? 0 : source->ask(x, ctx, a, calls);
}

static void price_read(struct price_query *x, struct arena *a)
{
    const struct price_source *source = source_of(x->price);

    if (source != NULL && source->read != NULL)
        source->read(x, a);
}

/* The source that can have a price confirmed which one alone has said; NULL: none, or it needs none. */
static const struct price_source *confirming(const struct price *p)
{
    const struct price_source *source = source_of(p);
    bool needs_another = p->wants_bounds && p->state == PRICE_KNOWN && p->sources < SOURCES_NEEDED;

    return needs_another && source != NULL && source->confirm != NULL ? source : NULL;
}

static void prices_confirm(const struct ctx *ctx, struct arena *a, struct price_query *each, size_t n,
                           struct call *calls)
{
    size_t asked = 0;

    for (size_t i = 0; i < n; i++) {
        each[i].confirms = confirming(each[i].price);
        if (each[i].confirms != NULL)
            asked += each[i].confirms->confirm(&each[i], ctx, a, &calls[asked]);
    }
    if (asked > 0)
        (void)calls_run(ctx->net, calls, asked, CONFIRM_MS);
    for (size_t i = 0; i < n; i++)
        if (each[i].confirms != NULL)
            each[i].confirms->confirmed(&each[i], a);
}

void prices_ask(const struct ctx *ctx, struct arena *a, struct price *list, size_t n)
{
    struct call *calls = ARENA_ARRAY(a, struct call, PRICE_CALLS_EACH * n + PRICE_RENEWALS_MAX);
    struct price_query *each = ARENA_ARRAY(a, struct price_query, n);
    struct price_renewal renewal;
    size_t asked = 0;

    for (size_t i = 0; i < n; i++) {
        each[i].price = &list[i];
        asked += price_ask(&each[i], ctx, a, &calls[asked]);
    }
    renewal = (struct price_renewal){ .calls = &calls[asked] };
    prices_begin(&renewal, ctx, a, list, n);
    (void)calls_run(ctx->net, calls, asked + renewal.count, DEADLINE_MS);
    for (size_t i = 0; i < n; i++)
        price_read(&each[i], a);
    price_renewed(&renewal);
    for (size_t i = 0; i < n; i++)
        use_kept(&list[i]);
    prices_confirm(ctx, a, each, n, calls);
    for (size_t i = 0; i < n; i++)
        list[i].apart = sources_far_apart(ctx, &list[i]);
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
