#include "swap/outlay.h"

#include "exec/evm/plan.h"

bool swap_outlay(struct outlay *out, struct arena *a, const struct quote *q, const struct wallet *w,
                 const struct plan *p, const struct chain_state *st)
{
    struct u256 value;

    *out = (struct outlay){
        .agent_id = w->agent_id,
        .wallet_id = w->id,
        .venue = q->provider,
        .from = q->from,
        .to = q->to,
        .amount_in = q->amount_in,
        .recipients = plan_recipients(a, p),
        .slippage = q->slippage,
    };
    return plan_native_cost(p, st, &value, &out->fees);
}
