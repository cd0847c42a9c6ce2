#include "swap/impact.h"

#include "route/feed.h"
#include "service/conf.h"

static struct ppm against_feed(const struct ctx *ctx, const struct quote *q, struct u256 got)
{
    struct amount in = { q->amount_in, q->from.decimals }, out = { got, q->to.decimals };
    struct amount price_in, price_out, given, received;

    if (!feed_usd(ctx, &q->from, &price_in) || !feed_usd(ctx, &q->to, &price_out) ||
        !amount_times_down(&given, in, price_in) || !amount_times_down(&received, out, price_out))
        return (struct ppm){ PPM_NONE };
    return amount_shortfall(given.raw, received.raw);
}

struct ppm impact_of(const struct ctx *ctx, const struct quote *q, struct u256 got, struct u256 reference_out)
{
    struct ppm small = amount_shortfall(reference_out, got), feed = against_feed(ctx, q, got);

    if (small.value == PPM_NONE || feed.value == PPM_NONE)
        return small.value == PPM_NONE ? feed : small;
    return small.value > feed.value ? small : feed;
}

struct ppm impact_allowed(const struct ctx *ctx, const struct quote *q)
{
    return q->max_impact.value != PPM_NONE ? q->max_impact : (struct ppm){ ctx->conf->price_impact_max };
}

bool impact_exceeds(struct ppm impact, struct ppm allowed)
{
    return impact.value > allowed.value && allowed.value < PPM_ONE;
}

char *impact_text(struct arena *a, struct ppm impact)
{
    if (impact.value == PPM_NONE)
        return arena_strdup(a, "Price impact not known");
    return arena_printf(a, "Price impact of %s %%", ppm_percent(a, impact));
}

const struct err *impact_check(const struct ctx *ctx, struct arena *a, const struct quote *q,
                               struct ppm impact)
{
    struct ppm allowed = impact_allowed(ctx, q);
    bool shallow = impact.value != PPM_NONE && impact.value > IMPACT_SHALLOW;

    if (!impact_exceeds(impact, allowed))
        return NULL;
    return err_hint(a, shallow ? &E_SHALLOW : &E_PRICE_IMPACT,
                    arena_printf(a,
                                 "%s, and %s %% is allowed: try a smaller amount, or send max_price_impact",
                                 impact_text(a, impact), ppm_percent(a, allowed)));
}
