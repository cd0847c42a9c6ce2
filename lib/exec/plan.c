#include "exec/plan.h"

#include "codec/u256.h"

bool plan_only_allows(const struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->steps[i].kind != TX_APPROVAL)
            return false;
    return p->count > 0;
}

const struct err *plan_verdict(const struct plan *p, const struct chain_state *st)
{
    if (st->unverified) /* what arrives is bounded by the call itself */
        return NULL;
    if (!st->tried && st->short_of_coin)
        return &E_GAS;
    if (!st->tried)
        return st->price_moved ? &E_PRICE_MOVED : &E_WOULD_REVERT;
    if (p->bridge != NULL) /* what the far side is to bring is in what was read */
        return u256_cmp(st->leaves, p->leaves.amount) == 0 ? NULL : &E_WOULD_REVERT;
    return u256_cmp(st->arrives, p->arrives.amount) < 0 ? &E_PRICE_MOVED : NULL;
}

const char *const *plan_recipients(struct arena *a, const struct plan *p)
{
    const char **list = ARENA_ARRAY(a, const char *, 2 * PLAN_MAX_STEPS + PLAN_MAX_REQUESTS + 1);
    unsigned n = 0;

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if (s->kind != TX_APPROVAL)
            list[n++] = s->to;
        if (s->spender != NULL)
            list[n++] = s->spender;
    }
    for (unsigned i = 0; i < p->request_count; i++)
        if (p->requests[i].to != NULL)
            list[n++] = p->requests[i].to;
    return list;
}
