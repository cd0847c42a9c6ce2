#include "route/route.h"

#include <string.h>

#include "base/log.h"
#include "chain/evm/node.h"
#include "chain/venues.h"
#include "model/amount.h"
#include "route/feed.h"
#include "service/conf.h"

enum { MAX_PROVIDERS = 16, SAME_CHAIN_MS = 2500, CROSS_CHAIN_MS = 8000 };

static int better_first(const void *x, const void *y)
{
    const struct offer *a = x, *b = y;
    int by_net = u256_cmp(b->net, a->net);

    return by_net != 0 ? by_net : u256_cmp(b->out, a->out);
}

/* A question to all providers that support the pair. */
struct round {
    struct route_in in;
    struct call *calls;
    const struct provider *of[MAX_PROVIDERS];
    size_t asked, answered;
    struct offer *offers; /* best first */
    size_t count;
};

static void ask_all(struct round *r, const struct ctx *ctx, struct arena *a, struct call *calls)
{
    r->calls = calls;
    for (const struct provider *const *p = providers; *p != NULL && r->asked < MAX_PROVIDERS; p++)
        if ((*p)->supports(&r->in) && (*p)->ask(&calls[r->asked], ctx, &r->in, a))
            r->of[r->asked++] = *p;
}

static void read_all(struct round *r, struct arena *a)
{
    r->offers = ARENA_ARRAY(a, struct offer, OFFERS_MAX);
    for (size_t i = 0; i < r->asked; i++) {
        struct call *c = &r->calls[i];

        r->count += r->of[i]->read(c, &r->in, a, r->offers + r->count, OFFERS_MAX - r->count);
        r->answered += c->result == CALL_ANSWERED;
        if (c->result != CALL_ANSWERED)
            log_warn("msg=\"provider gave no answer\" provider=%s why=\"%s\"", r->of[i]->key, c->why);
        call_free(c);
    }
    qsort(r->offers, r->count, sizeof *r->offers, better_first);
}

/* Whether two prices are as near to each other as the setting wants it: |x - y| <= max(x, y) * ppm. */
static bool agree(struct u256 x, struct u256 y, uint32_t ppm)
{
    struct u256 more = u256_cmp(x, y) > 0 ? x : y, less = u256_cmp(x, y) > 0 ? y : x, apart, allowed;

    return u256_sub(&apart, more, less) &&
           u256_muldiv(&allowed, more, u256_from_u64(ppm), u256_from_u64(PPM_ONE)) &&
           u256_cmp(apart, allowed) <= 0;
}

static const struct err *verify(const struct ctx *ctx, struct arena *a, const struct round *r,
                                const struct round *second)
{
    struct u256 price = r->offers[0].out, other = second->count > 0 ? second->offers[0].out : U256_ZERO;

    if (second->answered == 0)
        return err_hint(a, &E_UPSTREAM, "The node that verifies prices does not answer: retry with backoff");
    if (agree(price, other, ctx->conf->verify_divergence_max))
        return NULL;
    log_warn("msg=\"nodes tell different prices\" chain=%s", r->in.from_chain->key);
    return &E_PRICE_UNVERIFIED;
}

bool route_serves(const struct nodes *nodes, const struct chain *c)
{
    return c->type == CHAIN_EVM && c->routed && venue_of(c) != NULL && nodes_known(nodes, c);
}

const char *route_served(const struct nodes *nodes, struct arena *a)
{
    const char *list = "";

    for (size_t i = 0; i < chains_count; i++)
        if (route_serves(nodes, &chains[i]))
            list = arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", chains[i].key);
    return list;
}

static const struct err *not_served(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    return err_hint(a, &E_NO_LIQUIDITY,
                    arena_printf(a, "%s is listed, but not traded on this service yet; these chains are: %s",
                                 c->name, route_served(ctx->nodes, a)));
}

static const struct err *no_offers(const struct ctx *ctx, struct arena *a, const struct round *r)
{
    if (r->asked > 0 && r->answered == 0)
        return node_silence(ctx, a, r->in.from_chain);
    if (r->in.from_chain != r->in.to_chain)
        return &E_NO_BRIDGE;
    return r->asked == 0 ? not_served(ctx, a, r->in.from_chain) : &E_NO_LIQUIDITY;
}

const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offer **out, size_t *count)
{
    bool cross = in->from_chain != in->to_chain, feed;
    struct call calls[2 * MAX_PROVIDERS + 1];
    struct round r = { .in = *in }, second = { .in = *in };
    size_t n;

    second.in.verifies = true;
    second.in.wants_ideal = false;
    ask_all(&r, ctx, a, calls);
    if (nodes_verify(ctx->nodes, in->from_chain))
        ask_all(&second, ctx, a, calls + r.asked);
    n = r.asked + second.asked;
    feed = r.asked > 0 && in->wants_ideal && feed_ask(&calls[n], ctx, a);
    (void)calls_run(ctx->net, calls, n + feed, cross ? CROSS_CHAIN_MS : SAME_CHAIN_MS);
    if (feed)
        feed_keep(&calls[n]);
    read_all(&r, a);
    read_all(&second, a);
    *out = r.offers;
    *count = r.count;
    if (r.count == 0)
        return no_offers(ctx, a, &r);
    if (u256_is_zero(r.offers[0].out))
        return &E_TOO_LITTLE;
    return second.asked > 0 ? verify(ctx, a, &r, &second) : NULL;
}
