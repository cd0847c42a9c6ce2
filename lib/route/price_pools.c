/* The present price in the pools of EVM chains, by one node, and the average price, by two where there are
 * two: so no node decides both alone. */
#include "route/price_source.h"

#include <string.h>

#include "base/incident.h"
#include "chain/rpc/node.h"
#include "route/question.h"
#include "route/twap.h"
#include "route/uniswap.h"

/* ---- requests ---- */

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

static bool pools_list(const struct ctx *ctx, const struct chain *c, const struct token *t)
{
    struct route_in in;

    return pool_question(ctx, c, t, &in);
}

/* ---- reads ---- */

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

static struct amount pool_price(const struct price *p, struct amount usd)
{
    return strcmp(p->token->symbol, "USDC") == 0 ? at_most_a_dollar(usd) : usd;
}

static void read_twap(struct price *p, struct twap *q, struct arena *a)
{
    struct amount usd[NODE_OPINIONS];
    size_t n = twap_read(q, a, usd);

    for (size_t i = 0; i < n; i++)
        price_add(p, pool_price(p, usd[i]), true);
}

static void read_pools(struct price *p, struct question *q, struct arena *a)
{
    const struct route_in *in = &q->in;
    struct u256 best = U256_ZERO;

    question_read(q, a);
    question_rank(q, &q->answer->gas);
    if (q->call->result != CALL_ANSWERED)
        log_repeated("price_missing", "", "msg=\"no price\" symbol=%s why=\"%s\"", p->symbol, q->call->why);
    for (size_t i = 0; i < q->answer->count; i++) /* gas is no part of a price */
        if (u256_cmp(q->answer->offers[i].out, best) > 0)
            best = q->answer->offers[i].out;
    if (!amount_rate(&p->usd, (struct amount){ in->amount_in, in->from.decimals },
                     (struct amount){ best, in->to.decimals }) ||
        amount_is_zero(p->usd))
        return;
    p->usd = pool_price(p, p->usd);
    p->state = PRICE_KNOWN;
    price_add(p, p->usd, false);
}

/* ---- the row ---- */

/* The calls of one price. */
struct pool_query {
    bool pools;
    struct question question; /* then: to them */
    struct call *late;        /* of the average, so many */
    size_t late_count;
    struct twap twap;
};

static size_t pools_ask(struct price_query *x, const struct ctx *ctx, struct arena *a, struct call *calls)
{
    struct pool_query *q = x->own = ARENA_NEW(a, struct pool_query);
    const struct price *p = x->price;
    struct route_in in;
    size_t n = 0;

    if (!pool_question(ctx, p->chain, p->token, &in))
        return 0;
    q->pools = question_ask(&q->question, &uniswap, &in, &calls[n], ctx, a);
    n += q->pools;
    q->late = &calls[n];
    if (p->wants_bounds)
        q->late_count = twap_ask(&q->twap, q->late, ctx, p->chain, p->token, a);
    return n + q->late_count;
}

static void pools_read(struct price_query *x, struct arena *a)
{
    struct pool_query *q = x->own;

    if (q->pools) {
        read_pools(x->price, &q->question, a);
        call_free(q->question.call);
    }
    if (q->late_count > 0)
        read_twap(x->price, &q->twap, a);
    for (size_t i = 0; i < q->late_count; i++)
        call_free(&q->late[i]);
}

const struct price_source pool_prices = {
    .type = CHAIN_EVM,
    .lists = pools_list,
    .ask = pools_ask,
    .read = pools_read,
};
