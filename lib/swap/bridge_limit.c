#include "swap/bridge_limit.h"

#include "chain/tokens.h"
#include "route/price.h"
#include "service/conf.h"

/* At the highest of the sources, and no less than the dollars that are given or arrive, as policies have it.
 */
static bool bridge_value(struct amount *usd, const struct ctx *ctx, struct arena *a, const struct quote *q)
{
    const struct token *t = token_known(&q->from);
    const struct u256 least[] = { token_dollars(&q->from, q->amount_in), token_dollars(&q->to, q->min_out) };
    struct price p;

    if (t == NULL)
        return false;
    p = price_of_token(ctx, a, chain_by_id(q->from.chain_id), t);
    p.wants_bounds = true;
    prices_ask(ctx, a, &p, 1);
    if (!p.has_bounds || p.apart ||
        !amount_times_down(usd, (struct amount){ q->amount_in, q->from.decimals }, p.high))
        return false;
    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++)
        if (u256_cmp(usd->raw, least[i]) < 0)
            usd->raw = least[i];
    return true;
}

static bool is_within(struct amount usd, unsigned most)
{
    struct u256 limit;

    return u256_mul(&limit, u256_from_u64(most), u256_from_u64(1000000000000000000)) &&
           u256_cmp(usd.raw, limit) <= 0;
}

const struct err *bridge_limit_check(const struct ctx *ctx, struct arena *a, const struct quote *q)
{
    unsigned most = ctx->conf->bridge_max_usd;
    struct amount usd;

    if (most == 0 || q->from.chain_id == q->to.chain_id)
        return NULL;
    if (!bridge_value(&usd, ctx, a, q))
        return err_hint(a, &E_OPERATOR_LIMIT,
                        "Swaps between chains have a limit in dollars here, and it is unknown what this "
                        "amount is worth: retry later, or give another token");
    if (is_within(usd, most))
        return NULL;
    return err_hint(
        a, &E_OPERATOR_LIMIT,
        arena_printf(a, "A swap between chains may be worth at most %u dollars here: try less", most));
}
