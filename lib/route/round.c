#include "route/round.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/metrics.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "net/refusals.h"
#include "route/net.h"
#include "route/provider_service.h"
#include "route/provider_state.h"
#include "route/shortlist.h"
#include "route/wrap.h"

enum {
    OUTLIERS_OF = 3,   /* so many prices are needed to tell that one is too good */
    TIE_SHARE = 5000,  /* 0.02 %: less is a tie */
    OUTLIER_SHARE = 10 /* a tenth above what most say */
};

/* For people. */
static const char *const reasons[] = {
    [ASK_NO_ROUTE] = "It has no route for this pair and amount",
    [ASK_TOO_SMALL] = "The amount is too small for it",
    [ASK_PAID_BESIDE] = "It takes a fee beside the amount, which is not paid",
    [ASK_RATE_LIMITED] = "It has been asked too often",
    [ASK_REFUSED] = "It does not serve this request",
    [ASK_TIMEOUT] = "It did not answer in time",
    [ASK_UNAVAILABLE] = "It gave no usable answer",
    [ASK_SKIPPED] = "Too many calls are waiting for it",
};

/* ---- the choice of nodes ---- */

static void round_skip(struct round *r, const struct provider *p, enum ask_end end, const char *reason)
{
    r->asked[r->asked_count++] = (struct asked){ .provider = p, .end = end, .reason = reason };
}

/* Whether it may be asked now. */
static bool round_admits(struct round *r, const struct provider *p, const struct ctx *ctx)
{
    static const struct {
        enum ask_end end;
        const char *reason;
    } held[] = {
        [PROVIDER_SPENT] = { ASK_RATE_LIMITED, "It has been asked as often as it allows" },
        [PROVIDER_PAUSED] = { ASK_RATE_LIMITED, "It has been asked too often" },
        [PROVIDER_FAILING] = { ASK_SKIPPED, "It has given no answer lately" },
        [PROVIDER_SUSPECT] = { ASK_SKIPPED, "Its transactions were not what it had offered" },
        [PROVIDER_REFUSED] = { ASK_REFUSED, "It refuses this service" },
    };
    enum provider_health health = provider_admits(ctx, p);

    if (health == PROVIDER_READY)
        return true;
    round_skip(r, p, held[health].end, held[health].reason);
    if (health == PROVIDER_REFUSED)
        r->refused = true;
    else
        r->held = true;
    return false;
}

static bool is_unwanted(const struct route_in *in, size_t place)
{
    return (in->unwanted >> place & 1) != 0;
}

/* Without a key its rate is so low that it is kept back until no other provider has an offer. */
static bool is_kept_back(const struct round *r, const struct provider *p, const struct ctx *ctx)
{
    return p->service != NULL && p->service->keyless_rate != NULL && provider_key(ctx, p) == NULL &&
           provider_is_on(ctx, p) && r->in.from_chain == r->in.to_chain;
}

/* No offer beats wrapping, which is one to one. */
static bool is_needless(const struct round *r, const struct provider *p)
{
    return p != &wrap && r->count > 0 && r->questions[0].provider == &wrap;
}

/* Called when a provider's answer has come: the others may take a little longer. */
static unsigned round_hear(struct call *call)
{
    struct question *q = call->watcher;

    question_read(q, q->round->arena);
    return q->end == ASK_OFFERED ? q->round->grace_ms : CALL_AS_LONG_AS_IT_TAKES;
}

static void round_ask_one(struct round *r, const struct provider *p, struct call *call, const struct ctx *ctx)
{
    struct question *q = &r->questions[r->count];

    if (!provider_is_on(ctx, p) || !round_admits(r, p, ctx) ||
        !question_ask(q, p, &r->in, call, ctx, r->arena))
        return;
    q->round = r;
    call->over = round_hear;
    call->watcher = q;
    r->count++;
}

void round_ask(struct round *r, const struct route_in *in, unsigned grace_ms, struct call *calls,
               const struct ctx *ctx, struct arena *a)
{
    *r = (struct round){ .in = *in, .arena = a, .grace_ms = grace_ms };
    if (!nodes_known(ctx->nodes, in->from_chain)) /* nothing could be tried, nor sent */
        return;
    for (size_t i = 0; i < PROVIDERS_MAX && providers[i] != NULL; i++) {
        const struct provider *p = providers[i];

        /* A service's answer comes from no node: a second, independent one has nothing to verify. */
        if (!p->supports(in->from_chain, in->to_chain) || (p->service != NULL && in->verifies))
            continue;
        if (is_unwanted(in, i))
            r->left_out = true;
        else if (is_needless(r, p))
            continue;
        else if (is_kept_back(r, p, ctx))
            r->kept_back |= 1u << i;
        else
            round_ask_one(r, p, &calls[r->count], ctx);
    }
}

static bool round_has_offer(struct round *r)
{
    for (size_t i = 0; i < r->count; i++) {
        question_read(&r->questions[i], r->arena);
        if (r->questions[i].end == ASK_OFFERED)
            return true;
    }
    return false;
}

size_t round_ask_kept_back(struct round *r, struct call *calls, bool in_time, const struct ctx *ctx)
{
    bool needed = r->kept_back != 0 && in_time && !round_has_offer(r);
    size_t before = r->count;

    for (size_t i = 0; i < PROVIDERS_MAX && providers[i] != NULL; i++) {
        if ((r->kept_back >> i & 1) == 0)
            continue;
        if (needed)
            round_ask_one(r, providers[i], &calls[r->count - before], ctx);
        else
            round_skip(r, providers[i], ASK_SKIPPED,
                       "Without an API key this provider is asked only where no other one serves");
    }
    return r->count - before;
}

/* ---- earlier messages ---- */

static void round_note(struct round *r, const struct question *q, const char *reason)
{
    r->asked[r->asked_count++] = (struct asked){
        .provider = q->provider,
        .end = q->end,
        .reason = reason != NULL ? reason : reasons[q->end],
        .took_ms = q->call->took_ms,
    };
}

static bool was_answered(enum ask_end end)
{
    return end == ASK_OFFERED || end == ASK_NO_ROUTE || end == ASK_TOO_SMALL || end == ASK_PAID_BESIDE ||
           end == ASK_REFUSED;
}

static struct u256 question_best(const struct question *q)
{
    struct u256 best = U256_ZERO;

    for (size_t i = 0; i < q->answer->count; i++)
        if (u256_cmp(q->answer->offers[i].out, best) > 0)
            best = q->answer->offers[i].out;
    return best;
}

static int by_value(const void *x, const void *y)
{
    return u256_cmp(*(const struct u256 *)x, *(const struct u256 *)y);
}

/* The highest credible output: more is a mistake of decimals, or bait; 0: too few have answered. */
static struct u256 round_most(const struct round *r)
{
    struct u256 best[PROVIDERS_MAX], more, most;
    size_t n = 0;

    for (size_t i = 0; i < r->count; i++)
        if (r->questions[i].answer->count > 0)
            best[n++] = question_best(&r->questions[i]);
    if (n < OUTLIERS_OF)
        return U256_ZERO;
    qsort(best, n, sizeof best[0], by_value);
    if (!u256_div(&more, NULL, best[(n - 1) / 2], u256_from_u64(OUTLIER_SHARE)) ||
        !u256_add(&most, best[(n - 1) / 2], more))
        return U256_ZERO;
    return most;
}

/* The amount sold, in units of the bought token, where both are one asset: no maker gives more of it than it
 * gets. 0 for two assets. */
static struct u256 round_put_in(const struct route_in *in)
{
    const struct token *sold = token_known(&in->from), *bought = token_known(&in->to);
    struct amount most;

    if (sold == NULL || bought == NULL || !token_is_same(sold, bought) ||
        !amount_rescale_up(&most, (struct amount){ in->amount_in, sold->decimals }, bought->decimals))
        return U256_ZERO;
    return most.raw;
}

static bool is_above(struct u256 out, struct u256 most)
{
    return !u256_is_zero(most) && u256_cmp(out, most) > 0;
}

static const char *outlier_why(const struct question *q, struct u256 most, struct u256 put_in)
{
    if (is_above(question_best(q), put_in))
        return "It offers more of the same asset than is put in";
    return is_above(question_best(q), most) ? "Its price is far above what the others say" : NULL;
}

static void rate_learn(struct rate *known, const struct rate *said)
{
    if (u256_is_zero(known->get))
        *known = *said;
}

/* Adds the parts of the gas price that are not known yet. */
static void round_learn(struct gas_price *known, const struct gas_price *said)
{
    if (u256_is_zero(known->per_unit))
        known->per_unit = said->per_unit;
    rate_learn(&known->output, &said->output);
    rate_learn(&known->usd, &said->usd);
}

bool round_is_refused(const struct question *q)
{
    return q->end == ASK_REFUSED && call_refuses_us(q->call);
}

static void round_read(struct round *r)
{
    struct u256 most, put_in = round_put_in(&r->in);

    for (size_t i = 0; i < r->count; i++)
        question_read(&r->questions[i], r->arena);
    most = round_most(r);
    for (size_t i = 0; i < r->count; i++) {
        struct question *q = &r->questions[i];
        const char *outlier = outlier_why(q, most, put_in);

        if (outlier != NULL) {
            q->answer->count = 0;
            q->end = ASK_UNAVAILABLE;
        }
        provider_tell(q->provider, q->call, q->end);
        metric_add(METRIC("quotes_total", q->provider->key, ask_end_text(q->end)), 1);
        round_note(r, q, outlier);
        r->answered += was_answered(q->end) && !round_is_refused(q);
        if (!was_answered(q->end))
            provider_unavailable_log(q->provider, q->call, outlier != NULL);
        round_learn(&r->gas, &q->answer->gas);
    }
}

/* ---- the best of it ---- */

static size_t provider_order(const struct provider *p)
{
    size_t i = 0;

    while (providers[i] != NULL && providers[i] != p)
        i++;
    return i;
}

static bool is_tie(const struct offer *best, const struct offer *o)
{
    struct u256 allowed, apart;

    return u256_div(&allowed, NULL, best->net, u256_from_u64(TIE_SHARE)) &&
           u256_sub(&apart, best->net, o->net) && u256_cmp(apart, allowed) <= 0;
}

/* One price of gas for all of them. */
static void round_rank(struct round *r)
{
    struct offers *all = &r->offers;

    all->best_first = ARENA_ARRAY(r->arena, struct offer, r->count * OFFERS_EACH + 1);
    for (size_t i = 0; i < r->count; i++) {
        struct question *q = &r->questions[i];

        for (size_t j = 0; j < q->answer->count; j++)
            q->answer->offers[j].gas_units = gas_believed(q->answer->offers[j].gas_units, r->in.from_chain);
        question_rank(q, &r->gas);
        for (size_t j = 0; j < q->answer->count; j++)
            all->best_first[all->count++] = q->answer->offers[j];
        if (u256_cmp(q->answer->reference_out, all->reference_out) > 0) {
            all->reference_out = q->answer->reference_out;
            shortlist_make(&all->reference, q->answer);
        }
    }
    offers_rank(all->best_first, all->count, &r->gas);
    /* Among offers that are as good, the provider that comes first in the table wins. */
    size_t first = 0;
    struct offer winner;

    for (size_t i = 1; i < all->count && is_tie(&all->best_first[0], &all->best_first[i]); i++)
        if (provider_order(all->best_first[i].provider) < provider_order(all->best_first[first].provider))
            first = i;
    if (first == 0)
        return;
    winner = all->best_first[first];
    for (size_t i = first; i > 0; i--)
        all->best_first[i] = all->best_first[i - 1];
    all->best_first[0] = winner;
}

void round_end(struct round *r)
{
    round_read(r);
    for (size_t i = 0; i < r->count; i++)
        call_free(r->questions[i].call);
    round_rank(r);
    r->offers.asked = arena_memdup(r->arena, r->asked, r->asked_count * sizeof r->asked[0]);
    r->offers.asked_count = r->asked_count;
}
