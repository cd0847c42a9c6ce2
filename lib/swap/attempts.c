#include "swap/attempts.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/quote_offers.h"

/* Refusals that another provider may not give, the most telling first: a refusal of this service is returned
 * if all that were asked give it. */
static const struct err *const refusals[] = { &E_PRICE_MOVED,  &E_WOULD_REVERT,    &E_TOO_LITTLE,
                                              &E_NO_LIQUIDITY, &E_NO_BRIDGE,       &E_UPSTREAM,
                                              &E_BUSY,         &E_PROVIDER_REFUSED };
enum { REFUSALS_COUNT = sizeof refusals / sizeof refusals[0] };

static size_t refusal_rank(const struct err *e)
{
    size_t i = 0;

    while (i < REFUSALS_COUNT && !err_is(e, refusals[i]))
        i++;
    return i;
}

void attempts_begin(struct attempts *t, const struct quote *q)
{
    *t = (struct attempts){ .now = *q,
                            .quote = q,
                            .offers = q->offers,
                            .offer_count = (int)q->offer_count,
                            .until_ms = clock_mono_ms() + ATTEMPTS_MS };
}

static bool offers_look_up(struct attempts *t, const struct ctx *ctx, struct arena *a)
{
    struct quote_offer *list;

    if (t->offers != NULL)
        return true;
    list = ARENA_ARRAY(a, struct quote_offer, QUOTE_OFFERS_MAX);
    t->offer_count = quote_offers_of(ctx->db, a, &t->quote->id, t->quote->agent_id, list);
    t->offers = list;
    return t->offer_count >= 0;
}

/* An offer that promised less than the quote does is no runner-up. */
static bool offer_may_do(const struct attempts *t, const struct quote_offer *o)
{
    return u256_cmp(o->amount_out, t->quote->min_out) >= 0 && o->payload_len <= sizeof t->now.route;
}

static void offer_take(struct attempts *t, const struct quote_offer *o)
{
    t->now.gas_units = o->gas_units;
    t->now.route_len = o->payload_len;
    memcpy(t->now.route, o->payload, o->payload_len);
    (void)snprintf(t->now.provider, sizeof t->now.provider, "%s", o->provider);
}

/* Beyond the provider, silence is the node's, and so is who waits in its lane. */
static bool is_of_provider(const struct err *e, bool asked)
{
    return refusal_rank(e) < REFUSALS_COUNT && !(asked && (err_is(e, &E_UPSTREAM) || err_is(e, &E_BUSY)));
}

bool attempts_go_on(struct attempts *t, const struct ctx *ctx, struct arena *a, const struct err *e,
                    bool asked)
{
    if (!is_of_provider(e, asked))
        return false;
    if (t->refusal == NULL || refusal_rank(e) < refusal_rank(t->refusal))
        t->refusal = e;
    log_info("offer_not_carried_out", "msg=\"an offer is not carried out\" provider=%s code=%s",
             t->now.provider, e->code);
    if (++t->made >= ATTEMPTS_MAX || clock_mono_ms() >= t->until_ms || !offers_look_up(t, ctx, a))
        return false;
    while (t->next < t->offer_count)
        if (offer_may_do(t, &t->offers[t->next++])) {
            offer_take(t, &t->offers[t->next - 1]);
            return true;
        }
    return false;
}

const struct err *attempts_refusal(const struct attempts *t, const struct err *e)
{
    return refusal_rank(e) < REFUSALS_COUNT && t->refusal != NULL ? t->refusal : e;
}
