#include "swap/outlay.h"

static const char *address_text(struct arena *a, struct evm_addr at)
{
    char text[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(text, at);
    return arena_strdup(a, text);
}

/* An approval gives its token's contract nothing, but its spender an allowance. */
static const char *const *plan_recipients(struct arena *a, const struct plan *p)
{
    const char **list = ARENA_ARRAY(a, const char *, 2 * PLAN_MAX_STEPS + 1);
    unsigned n = 0;

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if (s->kind != TX_APPROVAL)
            list[n++] = address_text(a, s->to);
        if (s->has_token)
            list[n++] = address_text(a, s->spender);
    }
    return list;
}

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
