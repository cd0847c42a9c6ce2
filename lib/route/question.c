#include "route/question.h"

#include "route/net.h"
#include "route/shortlist.h"

bool question_ask(struct question *q, const struct provider *p, const struct route_in *in, struct call *call,
                  const struct ctx *ctx, struct arena *a)
{
    *q = (struct question){ .provider = p, .in = *in, .call = call };
    if (p->has_candidates && !in->verifies)
        shortlist_use(&q->in, &q->shortlist, p);
    return p->ask(call, ctx, &q->in, a);
}

/* A quote promises no more than the slippage allows, even where the provider guarantees more; and never
 * nothing. */
static bool offer_promise(struct offer *o, const struct route_in *in)
{
    struct amount out = { o->out, in->to.decimals }, min;

    if (!amount_less_ppm_down(&min, out, in->slippage))
        return false;
    if (u256_is_zero(o->min_out) || u256_cmp(min.raw, o->min_out) < 0)
        o->min_out = min.raw;
    if (u256_is_zero(o->min_out)) /* the signer refuses a minimum of nothing */
        o->min_out = u256_from_u64(1);
    return true;
}

void question_read(struct question *q, struct arena *a)
{
    struct route_answer *answer;
    size_t kept = 0;

    if (q->answer != NULL)
        return;
    answer = q->answer = ARENA_NEW(a, struct route_answer);
    q->end = q->provider->read(q->call, &q->in, a, answer);
    if (q->end == ASK_UNAVAILABLE && q->call->result == CALL_TIMEOUT)
        q->end = ASK_TIMEOUT;
    if (q->provider->service != NULL && q->call->result == CALL_HELD)
        q->end = ASK_SKIPPED;
    for (size_t i = 0; i < answer->count; i++) {
        struct offer *o = &answer->offers[kept];

        *o = answer->offers[i];
        o->provider = q->provider;
        kept += o->payload.len <= QUOTE_ROUTE_MAX && offer_promise(o, &q->in);
    }
    answer->count = kept;
}

static bool question_was_read(const struct question *q)
{
    return q->end == ASK_OFFERED || q->end == ASK_NO_ROUTE || q->end == ASK_TOO_SMALL;
}

void question_rank(struct question *q, const struct gas_price *gas)
{
    struct route_answer *answer = q->answer;

    offers_rank(answer->offers, answer->count, gas);
    if (question_was_read(q) && q->provider->has_candidates && !q->in.verifies) {
        if (q->in.shortlist == NULL)
            shortlist_keep(&q->in, q->provider, answer);
        else if (answer->count == 0)
            shortlist_drop(&q->in, q->provider);
    }
    if (answer->count > OFFERS_EACH)
        answer->count = OFFERS_EACH;
}
