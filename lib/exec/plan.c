#include "exec/plan.h"

#include <string.h>

#include "chain/unavailable.h"
#include "codec/u256.h"

enum { SHARE_UNITS = 4 /* by which balances of a token that counts shares are rounded, at most */ };

bool plan_only_allows(const struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->steps[i].kind != TX_APPROVAL)
            return false;
    return p->count > 0;
}

static const struct err *tx_simulation_failure(struct arena *a, const struct chain_state *st)
{
    const struct err *e = &E_WOULD_REVERT;

    if (st->below_least)
        e = &E_ACCOUNT_LEAST;
    else if (st->short_of_coin)
        e = &E_GAS;
    else if (st->price_moved)
        e = &E_PRICE_MOVED;
    return st->advice == NULL ? e : err_hint(a, e, st->advice);
}

/* The trade itself pays out the minimum, or it would have failed. */
static const struct err *too_little(struct arena *a)
{
    return err_hint(a, &E_PRICE_MOVED,
                    "Less arrives than the trade pays out, as if the token kept a part of each transfer: "
                    "allow more slippage, or trade another token");
}

bool plan_rounds_shares(const struct plan *p, const struct chain_state *st)
{
    struct u256 apart, share;

    if (!p->exact || p->leaves.native || !st->tried || u256_cmp(st->arrives, p->leaves.amount) == 0)
        return false;
    apart = u256_cmp(st->arrives, p->leaves.amount) < 0 ? u256_sub_or_zero(p->leaves.amount, st->arrives)
                                                        : u256_sub_or_zero(st->arrives, p->leaves.amount);
    return u256_cmp(apart, u256_from_u64(SHARE_UNITS)) <= 0 &&
           u256_div(&share, NULL, p->leaves.amount, u256_from_u64(1000)) && u256_cmp(apart, share) <= 0;
}

static const struct err *verdict(struct arena *a, const struct plan *p, const struct chain_state *st)
{
    if (st->unverified) /* what arrives is bounded by the call itself */
        return NULL;
    if (!st->tried)
        return tx_simulation_failure(a, st);
    if (p->bridge != NULL) /* what the far side is to bring is in what was read */
        return u256_cmp(st->leaves, p->leaves.amount) == 0 ? NULL : &E_WOULD_REVERT;
    if (p->exact && !p->leaves.native && u256_cmp(st->arrives, p->leaves.amount) != 0 &&
        !plan_rounds_shares(p, st))
        return &E_TOKEN_KEEPS;
    return u256_cmp(st->arrives, p->arrives.amount) < 0 ? too_little(a) : NULL;
}

const struct err *plan_verdict(struct arena *a, const struct plan *p, const struct chain_state *st)
{
    const struct err *e = verdict(a, p, st);

    return e != NULL && st->behind ? chain_behind(a, p->chain) : e;
}

/* A token that moves itself gets nothing by it. */
static bool is_own_transfer(const struct step *s)
{
    return s->token != NULL && s->spender != NULL && strcmp(s->to, s->token) == 0;
}

const char *const *plan_recipients(struct arena *a, const struct plan *p)
{
    const char **list = ARENA_ARRAY(a, const char *, 2 * PLAN_MAX_STEPS + PLAN_MAX_REQUESTS + 1);
    unsigned n = 0;

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if (s->kind != TX_APPROVAL && !is_own_transfer(s))
            list[n++] = s->to;
        if (s->spender != NULL)
            list[n++] = s->spender;
    }
    for (unsigned i = 0; i < p->request_count; i++)
        if (p->requests[i].to != NULL)
            list[n++] = p->requests[i].to;
    return list;
}
