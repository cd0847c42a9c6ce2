#include "swap/quote_use.h"

#include "store/executions.h"
#include "swap/swap_quote.h"

const struct err *quote_usable(const struct ctx *ctx, uint64_t agent_id, const char *quote_id,
                               const struct quote_refusals *refusals, struct quote *out, uint64_t *swap_id)
{
    enum lookup found = quote_of(ctx, agent_id, quote_id, out);

    *swap_id = 0;
    if (found == LOOKUP_ERROR)
        return &E_INTERNAL;
    if (found == LOOKUP_NONE)
        return refusals->gone;
    if (out->consumed)
        return executions_by_once(ctx->db, agent_id, &out->id, swap_id) == LOOKUP_ERROR ? &E_INTERNAL
                                                                                        : refusals->gone;
    return out->expired ? refusals->expired : NULL;
}
