/* The present output of a small trade against dollars, a second source next to a price service: another
 * service offers it, to be paid on another chain. The first service's own trades are used only if the
 * operator has no other one. All workers share an answer. */
#include "base/clock.h"
#include "base/shm_cache.h"
#include "chain/tokens.h"
#include "route/jupiter.h"
#include "route/price_source.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/question.h"

enum {
    PLACES = 64, /* the tokens of a chain stand side by side in the table */
    TRADE_FRESH_MS = 30000,
    TRADE_KEPT_MS = 60000,
    SLIPPAGE = 5000,  /* ppm */
    FAR_CHAIN = 8453, /* that pays, for little */
};

struct cached_trade {
    const struct token *token; /* a place may be another one's */
    struct amount usd;
    int64_t said_ms; /* on the monotonic clock */
};

static struct shm_cache cached_trades = SHM_CACHE_INIT(PLACES, struct cached_trade);

void price_trades_share(void)
{
    shm_cache_share(&cached_trades);
}

static size_t trade_place(const struct token *t)
{
    return (size_t)(t - tokens) % PLACES;
}

static bool trade_kept(struct amount *usd, const struct token *t, int64_t age_ms)
{
    struct cached_trade kept;

    if (!shm_cache_read(&cached_trades, trade_place(t), &kept) || kept.token != t ||
        clock_mono_ms() - kept.said_ms >= age_ms)
        return false;
    *usd = kept.usd;
    return true;
}

static void trade_keep(const struct token *t, struct amount usd)
{
    const struct cached_trade kept = { t, usd, clock_mono_ms() };

    shm_cache_write(&cached_trades, trade_place(t), &kept);
}

/* ---- the services that are asked ---- */

static bool is_asked_there(const struct ctx *ctx, const struct provider *p, const struct chain *from,
                           const struct chain *to)
{
    return p->service != NULL && p->supports(from, to) && provider_is_on(ctx, p);
}

static const struct provider *other_trader(const struct ctx *ctx, const struct chain *c)
{
    const struct chain *far = chain_by_id(FAR_CHAIN);

    for (size_t i = 0; i < PROVIDERS_MAX && providers[i] != NULL; i++)
        if (is_asked_there(ctx, providers[i], c, far))
            return providers[i];
    return NULL;
}

bool price_has_trader(const struct ctx *ctx, const struct chain *c)
{
    return other_trader(ctx, c) != NULL;
}

static const struct provider *price_trader(const struct ctx *ctx, const struct chain *c)
{
    const struct provider *other = other_trader(ctx, c);

    if (other == NULL && is_asked_there(ctx, &jupiter, c, c))
        return &jupiter;
    return other;
}

/* ---- requests ---- */

struct trade_query {
    const struct token *token;
    bool asks;
    struct question question;
};

/* The wrapped coin is worth the coin. */
static const struct token *token_meant(const struct chain *c, const struct token *t)
{
    return t->wrapped_native ? token_find(c, c->native) : t;
}

/* A hundred dollars' worth, as the first source has it. False where that is nothing. */
static bool trade_amount(struct u256 *out, const struct price *p)
{
    static const struct u256 hundred = { { 7766279631452241920u, 5, 0, 0 } }; /* of RATE_PLACES */
    struct u256 unit = u256_from_u64(1);

    for (int i = 0; i < p->token->decimals; i++)
        if (!u256_mul(&unit, unit, u256_from_u64(10)))
            return false;
    return !u256_is_zero(p->usd.raw) && u256_muldiv(out, hundred, unit, p->usd.raw) && !u256_is_zero(*out);
}

static bool trade_question(struct route_in *out, const struct provider *p, const struct price *price,
                           const struct token *t)
{
    const struct chain *c = price->chain, *to = p == &jupiter ? c : chain_by_id(FAR_CHAIN);

    *out = (struct route_in){
        .from_chain = c,
        .to_chain = to,
        .from = token_ref_of(t),
        .to = token_ref_of(token_find(to, "USDC")),
        .slippage = { SLIPPAGE },
    };
    return trade_amount(&out->amount_in, price);
}

/* Its rate is that of offers too: what is missing may be asked for beyond it. */
static bool trade_may_be_asked(const struct ctx *ctx, const struct provider *p, bool missing)
{
    enum provider_health health = provider_admits(ctx, p);

    return health == PROVIDER_READY || (health == PROVIDER_SPENT && missing);
}

/* Dollars are what trades are counted in. */
static bool is_the_dollar(const struct token *t)
{
    return t == token_find(chain_find(t->chain), "USDC");
}

size_t price_trade_ask(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls)
{
    struct trade_query *q = x->opinion = ARENA_NEW(a, struct trade_query);
    const struct price *price = x->price;
    const struct provider *p = price_trader(ctx, price->chain);
    struct route_in in;
    struct amount usd;

    q->token = token_meant(price->chain, price->token);
    if (is_the_dollar(q->token) || trade_kept(&usd, q->token, TRADE_FRESH_MS) || p == NULL ||
        !trade_question(&in, p, price, q->token) ||
        !trade_may_be_asked(ctx, p, !trade_kept(&usd, q->token, TRADE_KEPT_MS)) ||
        !question_ask(&q->question, p, &in, &calls[0], ctx, a))
        return 0;
    q->asks = true;
    return 1;
}

/* ---- answers ---- */

static struct u256 trade_brings(const struct route_answer *answer)
{
    struct u256 best = U256_ZERO;

    for (size_t i = 0; i < answer->count; i++)
        if (u256_cmp(answer->offers[i].out, best) > 0)
            best = answer->offers[i].out;
    return best;
}

static void trade_read(struct trade_query *q, struct arena *a)
{
    struct question *of = &q->question;
    struct amount usd;

    question_read(of, a);
    if (of->end == ASK_OFFERED &&
        amount_rate(&usd, (struct amount){ of->in.amount_in, of->in.from.decimals },
                    (struct amount){ trade_brings(of->answer), of->in.to.decimals }) &&
        !amount_is_zero(usd))
        trade_keep(q->token, usd);
    provider_tell(of->provider, of->call, of->end);
    if (of->end == ASK_UNAVAILABLE || of->end == ASK_TIMEOUT)
        provider_unavailable_log(of->provider, of->call, false);
    call_free(of->call);
}

void price_trade_read(struct price_query *x, struct arena *a)
{
    static const struct amount dollar = { { { 1000000000000000000, 0, 0, 0 } }, RATE_PLACES };
    struct trade_query *q = x->opinion;
    struct amount usd;

    if (q->asks)
        trade_read(q, a);
    if (is_the_dollar(q->token))
        price_add(x->price, dollar, false);
    else if (trade_kept(&usd, q->token, TRADE_KEPT_MS))
        price_add(x->price, usd, false);
}
