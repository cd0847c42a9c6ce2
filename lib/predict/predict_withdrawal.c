#include "exec/chain_ops.h"
#include "predict/transfer_plan.h"
#include "venue/polymarket_calls.h"

/* All that own orders do not need. */
static const struct err *withdrawal_rest(struct transfer *t)
{
    struct u256 reserved;

    if (!transfer_reserved(t->op.ctx->db, t->op.wallet.id, t->seen_ms, &reserved))
        return &E_TRANSFER_FAILED;
    return u256_sub(&t->amount, t->trading.collateral, reserved) && !u256_is_zero(t->amount) ? NULL
                                                                                             : &E_ALLOWANCE;
}

/* The exchanges may take what is left, and no more. */
static void withdrawal_access(struct transfer *t)
{
    struct u256 left;

    if (!u256_sub(&left, t->trading.collateral, t->amount))
        return;
    for (enum polymarket_exchange e = POLYMARKET_V2; e <= POLYMARKET_V3; e++)
        if (u256_cmp(t->trading.allowance[e], left) > 0)
            trading_batch_allow(&t->batch, t->op.arena, polymarket_exchange_addr(e), left);
}

const struct err *withdrawal_plan(struct transfer *t)
{
    struct plan *p = &t->op.plan;
    int64_t deadline = p->deadline;
    const struct err *e;

    t->terms.from = transfer_collateral();
    t->terms.to = transfer_dollar();
    if (strcmp(t->asked->amount, TRANSFER_MAX) == 0)
        e = withdrawal_rest(t);
    else
        e = token_ref_amount(t->op.arena, &t->terms.from, t->asked->amount, &t->amount);
    if (e == NULL && u256_cmp(t->trading.collateral, t->amount) < 0)
        e = &E_ALLOWANCE;
    if (e != NULL)
        return e;
    p->leaves = (struct plan_amount){ .token = t->terms.from, .amount = t->amount };
    p->arrives = (struct plan_amount){ .token = t->terms.to, .amount = t->amount };
    if (t->trading.is_contract)
        withdrawal_access(t);
    transfer_unwrap(t, t->amount);
    if (t->trading.is_contract)
        trading_batch_request(p, t->op.arena, &t->trading, &t->batch, deadline);
    transfer_tell(t, true);
    return NULL;
}
