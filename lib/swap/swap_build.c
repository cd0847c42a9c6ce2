#include "swap/swap_build.h"

#include "base/clock.h"
#include "exec/chain_ops.h"
#include "exec/payable.h"
#include "swap/attempts.h"
#include "swap/impact.h"
#include "swap/purchase_recipient.h"
#include "swap/quote_use.h"
#include "swap/swap_plan.h"
#include "swap/swap_quote.h"

/* The wallet may be funded later, so a failed simulation is no refusal; gas is then as quoted. */
static const struct err *build_attempt(const struct ctx *ctx, struct arena *a, const struct quote *q,
                                       const char *wallet, struct unsigned_swap *out, bool *asked)
{
    struct chain_state state;
    const struct err *e =
        swap_plan_make(&out->plan, ctx, a, q, wallet, clock_seconds() + PLAN_UNSIGNED_VALID_FOR_S);

    *asked = e == NULL;
    if (e != NULL || (e = chain_ops_of(out->plan.chain)->try_plan(ctx, a, &out->plan, &state)) != NULL ||
        (e = impact_check(ctx, a, q, swap_plan_impact(ctx, a, q, &out->plan, &state))) != NULL)
        return e;
    out->quote = *q;
    out->gas_price = state.fees.max_fee;
    out->needs_approval = out->plan.count > 1 && u256_cmp(state.allowance, q->amount_in) < 0;
    return NULL;
}

/* A swap on one chain pays its signer. */
static const struct err *judge_recipient(const struct ctx *ctx, struct arena *a, const struct quote *q,
                                         const char *wallet, const char *const *allow_contract)
{
    struct recipient r = { .chain = chain_by_id(q->to.chain_id),
                           .address = q->recipient[0] != '\0' ? q->recipient : wallet,
                           .token = q->to.address };

    if (q->from.chain_id == q->to.chain_id)
        return NULL;
    for (; allow_contract != NULL && *allow_contract != NULL; allow_contract++)
        r.contract_allowed |= chain_find(*allow_contract) == r.chain;
    return recipient_judge(ctx, a, &r);
}

const struct err *build_direct(const struct ctx *ctx, struct arena *a, struct quote *q, const char *wallet,
                               const char *const *allow_contract, struct unsigned_swap *out)
{
    struct attempts attempts;
    const struct err *e;
    bool asked;

    if (recipient_is_far(q) && (e = recipient_settle(ctx, a, q)) != NULL)
        return e;
    if ((e = judge_recipient(ctx, a, q, wallet, allow_contract)) != NULL)
        return e;
    attempts_begin(&attempts, q);
    do
        e = build_attempt(ctx, a, &attempts.now, wallet, out, &asked);
    while (e != NULL && attempts_go_on(&attempts, ctx, a, e, asked));
    return e == NULL ? NULL : attempts_refusal(&attempts, e);
}

const struct err *build_from_quote(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                   const char *quote_id, const char *wallet, struct ppm max_impact,
                                   const char *const *allow_contract, struct unsigned_swap *out,
                                   uint64_t *swap_id)
{
    static const struct quote_refusals refusals = { &E_QUOTE_INVALID, &E_QUOTE_EXPIRED_BUILD };
    struct quote q;
    const struct err *e = quote_usable(ctx, agent_id, quote_id, &refusals, &q, swap_id);

    if (e != NULL)
        return e;
    if (max_impact.value != PPM_NONE)
        q.max_impact = max_impact;
    return build_direct(ctx, a, &q, wallet, allow_contract, out);
}
