#include "route/route.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "route/cross_rates.h"
#include "route/gas_price.h"
#include "route/jupiter.h"
#include "route/price.h"
#include "route/price_source.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/round.h"
#include "route/shortlist.h"
#include "route/uniswap_contracts.h"
#include "service/conf.h"

enum {
    SAME_CHAIN_MS = 2500,
    SAME_CHAIN_GRACE_MS = 700,
    CROSS_CHAIN_MS = 8000,
    CROSS_CHAIN_GRACE_MS = 2500,
    TX_ROUNDS_MAX = 3,
    REFUSED_WAIT_S = 60,
};

static unsigned deadline_ms(const struct route_in *in)
{
    return in->from_chain == in->to_chain ? SAME_CHAIN_MS : CROSS_CHAIN_MS;
}

/* If prices are verified, each provider has as long as it takes: none is compared with a node that had no
 * time to answer. */
static unsigned grace_ms(const struct route_in *in, bool verified)
{
    if (verified)
        return CALL_AS_LONG_AS_IT_TAKES;
    return in->from_chain == in->to_chain ? SAME_CHAIN_GRACE_MS : CROSS_CHAIN_GRACE_MS;
}

/* ---- offers ---- */

/* Whether two prices are as near to each other as the setting wants it: |x - y| <= max(x, y) * ppm. */
static bool prices_agree(struct u256 x, struct u256 y, uint32_t ppm)
{
    struct u256 more = u256_cmp(x, y) > 0 ? x : y, less = u256_cmp(x, y) > 0 ? y : x, apart, allowed;

    return u256_sub(&apart, more, less) &&
           u256_muldiv(&allowed, more, u256_from_u64(ppm), u256_from_u64(PPM_ONE)) &&
           u256_cmp(apart, allowed) <= 0;
}

static struct u256 best_out(const struct round *r, const struct provider *p)
{
    for (size_t i = 0; i < r->offers.count; i++)
        if (r->offers.best_first[i].provider == p)
            return r->offers.best_first[i].out;
    return U256_ZERO;
}

/* Compares a provider's prices by the second node with those by the first. */
static const struct err *round_verify(const struct ctx *ctx, struct arena *a, const struct round *first,
                                      const struct round *second)
{
    if (second->count > 0 && second->answered == 0)
        return err_hint(a, &E_UPSTREAM, "The node that verifies prices does not answer: retry with backoff");
    for (size_t i = 0; i < second->count; i++) {
        const struct provider *p = second->questions[i].provider;
        struct u256 price = best_out(first, p);

        if (u256_is_zero(price) || prices_agree(price, best_out(second, p), ctx->conf->verify_divergence_max))
            continue;
        log_repeated("nodes_disagree", "", "msg=\"nodes tell different prices\" chain=%s provider=%s",
                     first->in.from_chain->key, p->key);
        return &E_PRICE_UNVERIFIED;
    }
    return NULL;
}

static bool is_supported(const struct chain *from, const struct chain *to)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if ((*p)->supports(from, to))
            return true;
    return false;
}

static const struct err *not_served(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    if (is_supported(c, c) &&
        nodes_known(ctx->nodes, c)) /* but those who would are off, or have nothing to ask about the pair */
        return err_hint(a, &E_NO_LIQUIDITY,
                        arena_printf(a, "No provider of this service trades this pair on %s", c->name));
    return err_hint(a, &E_NO_LIQUIDITY,
                    arena_printf(a, "%s is listed, but not traded on this service yet; these chains are: %s",
                                 c->name, route_served(ctx, a)));
}

static bool asks_a_node(const struct round *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->questions[i].provider->service == NULL)
            return true;
    return false;
}

static bool ends_with(const struct round *r, enum ask_end end)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->questions[i].end == end)
            return true;
    return false;
}

static const struct err *too_many_wait(struct arena *a)
{
    return err_hint(a, &E_BUSY,
                    "Too many calls are waiting for the providers of this pair: try again in a second");
}

static const struct err *left_alone(struct arena *a)
{
    return err_hint(a, &E_UPSTREAM,
                    "The providers of this pair are not asked at the moment, since they failed or "
                    "have been asked too often: retry in a few seconds");
}

/* All that were asked do, or are known to. */
static bool all_refuse_us(const struct round *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!round_is_refused(&r->questions[i]))
            return false;
    return !r->held && (r->count > 0 || r->refused);
}

static bool some_are_unreadable(const struct round *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->questions[i].end == ASK_UNAVAILABLE && r->questions[i].call->result == CALL_ANSWERED)
            return true;
    return false;
}

static const struct err *refused_by_all(struct arena *a, const char *who)
{
    return err_wait(
        a, &E_PROVIDER_REFUSED, REFUSED_WAIT_S,
        arena_printf(
            a, "%s: the operator of this service has to see to it, other providers or pairs may serve", who));
}

static const struct err *no_answers(const struct ctx *ctx, struct arena *a, const struct round *r)
{
    if (asks_a_node(r))
        return chain_unavailable(ctx, a, r->in.from_chain);
    if (ends_with(r, ASK_SKIPPED))
        return too_many_wait(a);
    if (some_are_unreadable(r))
        return err_hint(a, &E_UPSTREAM,
                        "The providers of this pair sent invalid answers: retry with backoff");
    return err_hint(a, &E_UPSTREAM, "No provider of this pair answered: retry with backoff");
}

static const struct err *no_offers(const struct ctx *ctx, struct arena *a, const struct round *r)
{
    if (r->count == 0 && r->left_out && !r->held && !r->refused)
        return &E_NO_PROVIDER;
    if (ends_with(r, ASK_TOO_SMALL))
        return r->in.from_chain == r->in.to_chain
                   ? &E_TOO_LITTLE
                   : err_hint(a, &E_NO_BRIDGE,
                              "The amount is too small for the providers of this pair: try a "
                              "larger one");
    if (all_refuse_us(r))
        return refused_by_all(a, "The providers of this pair refuse this service");
    if (r->count == 0 && r->held)
        return left_alone(a);
    if (r->count > 0 && r->answered == 0)
        return no_answers(ctx, a, r);
    if (r->in.from_chain != r->in.to_chain)
        return &E_NO_BRIDGE;
    return r->count == 0 ? not_served(ctx, a, r->in.from_chain) : &E_NO_LIQUIDITY;
}

/* Between chains no answer tells what gas costs, nor what would be a fair price. Where there are no pools to
 * read, prices that are kept say what the coin is worth; what they do not know, the answers may. */
static void round_rate(struct round *r, const struct ctx *ctx)
{
    struct cross_rates rates;

    if (r->count == 0)
        return;
    if (r->in.from_chain == r->in.to_chain) {
        if (r->in.from_chain->type != CHAIN_EVM)
            r->gas = kept_coin_rates(ctx, &r->in);
        return;
    }
    cross_rates_ask(&rates, ctx, r->arena, &r->in);
    r->gas = rates.gas;
    r->offers.reference_out = rates.reference_out;
}

/* Those who are asked last have what is left of the time. */
static void round_ask_rest(struct round *r, const struct ctx *ctx, struct call *calls, int64_t until_ms)
{
    int64_t left_ms = until_ms - clock_mono_ms();
    size_t n = round_ask_kept_back(r, calls, left_ms > 0, ctx);
    struct price_renewal renewal = { .calls = &calls[n] };

    if (n == 0)
        return;
    if (r->in.wants_reference)
        price_renew_chain(&renewal, ctx, r->arena, r->in.from_chain, false);
    (void)calls_run(ctx->net, calls, n + renewal.count, (unsigned)left_ms);
    price_renewed(&renewal);
}

/* Between chains only services are asked, whose answers come from no node. */
static bool route_is_verified(const struct ctx *ctx, const struct route_in *in)
{
    return in->from_chain == in->to_chain && nodes_verify(ctx->nodes, in->from_chain);
}

/* Renews prices in parallel to the offers, in time for their costs. Providers that are kept back are asked
 * for prices after the offers, and only as far as their rate allows. */
static size_t round_renew_prices(struct price_renewal *out, const struct round *r, struct call *calls,
                                 const struct ctx *ctx)
{
    *out = (struct price_renewal){ .calls = calls };
    if ((r->count == 0 && r->kept_back == 0) || !r->in.wants_reference)
        return 0;
    price_renew_feed(out, ctx, r->arena);
    if (r->kept_back == 0)
        price_renew_chain(out, ctx, r->arena, r->in.from_chain, true);
    return out->count;
}

const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offers *out)
{
    struct call calls[2 * (PROVIDERS_MAX + PRICE_RENEWALS_MAX)];
    int64_t until_ms = clock_mono_ms() + deadline_ms(in);
    struct round first, second;
    struct route_in checked = *in;
    struct price_renewal renewal;
    bool verified = route_is_verified(ctx, in);
    size_t n;

    checked.verifies = true;
    checked.wants_reference = false;
    second.count = 0;
    round_ask(&first, in, grace_ms(in, verified), calls, ctx, a);
    if (verified)
        round_ask(&second, &checked, CALL_AS_LONG_AS_IT_TAKES, calls + first.count, ctx, a);
    n = first.count + second.count;
    n += round_renew_prices(&renewal, &first, &calls[n], ctx);
    (void)STEP("route.ask", calls_run(ctx->net, calls, n, deadline_ms(in)), (size_t)0);
    price_renewed(&renewal);
    round_ask_rest(&first, ctx, &calls[n], until_ms);
    round_rate(&first, ctx);
    round_end(&first);
    if (verified)
        round_end(&second);
    *out = first.offers;
    return out->count == 0 ? no_offers(ctx, a, &first) : round_verify(ctx, a, &first, &second);
}

/* ---- the transaction of an offer ---- */

/* Our own rate limit does not hold back the request for a chosen offer's transaction. */
static enum tx_end tx_admits(const struct ctx *ctx, const struct provider *p)
{
    enum provider_health health = provider_admits(ctx, p);

    if (health == PROVIDER_REFUSED)
        return TX_NOT_SERVED;
    return health == PROVIDER_READY || health == PROVIDER_SPENT ? TX_ASKS_MORE : TX_LEFT_ALONE;
}

static void tx_tell(const struct provider *p, const struct call *call, enum tx_end end)
{
    enum ask_end said = provider_end(call);

    if (end == TX_NO_ROUTE)
        said = ASK_NO_ROUTE;
    else if (end == TX_NOT_SERVED)
        said = ASK_REFUSED;
    else if (end == TX_UNAVAILABLE)
        said = said == ASK_OFFERED || said == ASK_NO_ROUTE ? ASK_UNAVAILABLE : said;
    provider_tell(p, call, said);
}

static enum tx_end tx_ask(const struct ctx *ctx, struct arena *a, const struct provider *p,
                          const struct tx_in *in, struct wallet_call *out)
{
    enum tx_end end;
    struct call call;

    if (p->ask_tx == NULL)
        return p->read_tx(NULL, in, a, out);
    if ((end = tx_admits(ctx, p)) != TX_ASKS_MORE)
        return end;
    if (!p->ask_tx(&call, ctx, in, a))
        return TX_NO_ROUTE;
    for (unsigned i = 0; i < TX_ROUNDS_MAX && end == TX_ASKS_MORE; i++) {
        (void)calls_run(ctx->net, &call, 1, deadline_ms(&in->route));
        end = p->read_tx(&call, in, a, out);
    }
    if (call.result == CALL_HELD)
        end = TX_HELD;
    if (end == TX_UNAVAILABLE || end == TX_ASKS_MORE)
        provider_unavailable_log(p, &call, false);
    tx_tell(p, &call, end);
    call_free(&call);
    return end;
}

const struct err *route_tx(const struct ctx *ctx, struct arena *a, const char *provider,
                           const struct tx_in *in, struct wallet_call *out)
{
    const struct provider *p = provider_find(provider);

    if (p == NULL) /* it ended since it was quoted */
        return &E_PRICE_MOVED;
    *out = (struct wallet_call){ .to = NULL };
    switch (tx_ask(ctx, a, p, in, out)) {
    case TX_READY:
        return u256_cmp(out->min_out, in->min_out) < 0 ? &E_PRICE_MOVED : NULL;
    case TX_NO_ROUTE:
        return &E_NO_LIQUIDITY;
    case TX_NOT_SERVED:
        return refused_by_all(a, arena_printf(a, "The provider '%s' refuses this service", p->name));
    case TX_TOO_LITTLE:
        return &E_PRICE_MOVED;
    case TX_LACKS_INPUT:
        return &E_BALANCE;
    case TX_LACKS_GAS:
        return &E_GAS;
    case TX_HELD:
        return too_many_wait(a);
    case TX_LEFT_ALONE:
        return left_alone(a);
    case TX_ASKS_MORE:
    case TX_UNAVAILABLE:
        break;
    }
    return err_hint(
        a, &E_UPSTREAM,
        arena_printf(a, "The provider '%s' hands over no transaction: retry with backoff", p->name));
}

/* ---- the served documents ---- */

void route_share(const struct conf *conf)
{
    provider_states_share(conf->shm_file);
    shortlists_share();
    gas_prices_share();
    uniswap_contracts_share();
    jupiter_prices_share();
    price_trades_share();
}

bool route_trades(const struct ctx *ctx, const struct chain *from, const struct chain *to)
{
    if (!nodes_known(ctx->nodes, from) || !nodes_known(ctx->nodes, to))
        return false;
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (provider_is_on(ctx, *p) && (*p)->supports(from, to))
            return true;
    return false;
}

bool route_bridges(const struct ctx *ctx, const struct chain *c)
{
    for (size_t i = 0; i < chains_count; i++)
        if (&chains[i] != c && (route_trades(ctx, c, &chains[i]) || route_trades(ctx, &chains[i], c)))
            return true;
    return false;
}

bool route_serves(const struct ctx *ctx, const struct chain *c)
{
    return route_trades(ctx, c, c) || route_bridges(ctx, c);
}

const char *route_served(const struct ctx *ctx, struct arena *a)
{
    const char *list = "";

    for (size_t i = 0; i < chains_count; i++)
        if (route_trades(ctx, &chains[i], &chains[i]))
            list = arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", chains[i].key);
    return list;
}
