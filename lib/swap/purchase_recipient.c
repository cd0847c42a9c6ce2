#include "swap/purchase_recipient.h"

#include <stdio.h>

#include "chain/address.h"
#include "exec/wallet.h"

static bool is_far(const struct chain *from, const struct chain *to)
{
    return from != NULL && to != NULL && from->type != to->type;
}

bool recipient_is_far(const struct quote *q)
{
    return is_far(chain_by_id(q->from.chain_id), chain_by_id(q->to.chain_id));
}

static const struct err *recipient_named(struct arena *a, const struct chain *to, const char *named,
                                         char out[static WALLET_ADDR_MAX])
{
    return address_canonical(out, to->type, named)
               ? NULL
               : err_on(a, err_fmt(a, &E_RECIPIENT, to->key, NULL), "to_wallet_address");
}

const struct err *recipient_choose(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                   const struct route_in *r, const char *named,
                                   char out[static WALLET_ADDR_MAX])
{
    struct wallet w;
    enum lookup found;

    out[0] = '\0';
    if (!is_far(r->from_chain, r->to_chain))
        return named == NULL ? NULL : err_on(a, &E_RECIPIENT_NEAR, "to_wallet_address");
    if (named != NULL)
        return recipient_named(a, r->to_chain, named, out);
    found = wallet_of(ctx, agent_id, wallet_kind_on(r->to_chain), NULL, &w);
    if (found == LOOKUP_FOUND)
        (void)snprintf(out, WALLET_ADDR_MAX, "%s", w.ref.address);
    return found == LOOKUP_ERROR ? &E_INTERNAL : NULL;
}

bool recipient_is_own(const struct ctx *ctx, const struct quote *q)
{
    const struct chain *to = chain_by_id(q->to.chain_id);
    struct wallet w;

    return wallet_of(ctx, q->agent_id, wallet_kind_on(to), q->recipient, &w) == LOOKUP_FOUND;
}

const struct err *recipient_own(const struct ctx *ctx, struct arena *a, struct quote *q, struct wallet *out)
{
    const struct chain *to = chain_by_id(q->to.chain_id);
    const char *paid = q->recipient[0] == '\0' ? NULL : q->recipient;
    const struct err *e = wallet_need(ctx, q->agent_id, wallet_kind_on(to), paid, out);

    if (e == NULL)
        (void)snprintf(q->recipient, sizeof q->recipient, "%s", out->ref.address);
    if (e != &E_WALLET_NOT_FOUND)
        return e;
    return err_hint(
        a, e,
        arena_printf(a,
                     "There is no wallet to be paid on %s: POST /wallets with chain_type %s creates a "
                     "wallet",
                     to->key, chain_type_text(to->type)));
}

const struct err *recipient_settle(const struct ctx *ctx, struct arena *a, struct quote *q)
{
    struct wallet w;

    return q->recipient[0] != '\0' ? NULL : recipient_own(ctx, a, q, &w);
}
