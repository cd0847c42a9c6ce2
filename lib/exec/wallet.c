#include "exec/wallet.h"

#include <stdio.h>
#include <string.h>

#include "chain/address.h"
#include "exec/chain_ops.h"
#include "store/wallets.h"

enum lookup wallet_of(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind, const char *address,
                      struct wallet *out)
{
    char stored[WALLET_ADDR_MAX];

    if (address != NULL && !address_canonical(stored, wallet_chain_type(kind), address))
        return LOOKUP_NONE;
    return wallets_pick(ctx->db, agent_id, kind, address == NULL ? NULL : stored, out);
}

const struct err *wallet_missing(enum lookup found, const char *address)
{
    switch (found) {
    case LOOKUP_FOUND:
        return NULL;
    case LOOKUP_NONE:
        return address == NULL ? &E_WALLET_NOT_FOUND : &E_WALLET_NOT_YOURS;
    case LOOKUP_ERROR:
        break;
    }
    return &E_INTERNAL;
}

const struct err *wallet_need(const struct ctx *ctx, uint64_t agent_id, enum wallet_kind kind,
                              const char *address, struct wallet *out)
{
    return wallet_missing(wallet_of(ctx, agent_id, kind, address, out), address);
}

bool wallet_paid_far(const struct ctx *ctx, const struct tracked *w, struct wallet *out,
                     const struct wallet **shown)
{
    const struct execution *x = w->execution;
    const char *paid = w->bridge->recipient;

    *shown = NULL;
    if (strcmp(paid, w->wallet.ref.address) == 0)
        return true;
    *shown = out;
    return wallet_of(ctx, x->agent_id, wallet_kind_on(chain_by_id(x->to.chain_id)), paid, out) ==
           LOOKUP_FOUND;
}

bool wallet_coin(const struct ctx *ctx, struct arena *a, const char *address, const struct chain *c,
                 struct u256 *out)
{
    struct holdings held = { .unread = ARENA_ARRAY(a, const struct chain *, chains_count) };
    const struct chain_ops *family = chain_ops_of(c);
    struct wallet w = { .ref.kind = wallet_kind_on(c) };

    *out = U256_ZERO;
    if (family == NULL)
        return false;
    (void)snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    family->balances(ctx, a, &w, 1, c, &held);
    for (size_t i = 0; i < held.count; i++)
        if (token_is_native(held.held[i].token))
            *out = held.held[i].balance.raw;
    return held.unread_count == 0;
}

bool wallet_reserved(struct db *db, const struct wallet *w, const struct plan *p,
                     const struct chain_state *st, struct reservation *out)
{
    struct address_bytes token;

    chain_ops_of(p->chain)->address_bytes(&token, p->leaves.token.address);
    return transactions_reserved(db, w->id, p->chain->id, st->block, &token, &st->placed, out);
}

void wallet_place(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct plan *p,
                  struct chain_state *st)
{
    if (transactions_unplaced(ctx->db, a, w->id, p->chain->id, &st->placed))
        chain_ops_of(p->chain)->place(ctx, a, p->chain, &st->placed);
    else
        st->placed.count = 0;
}

bool wallet_reserved_now(const struct ctx *ctx, struct arena *a, const struct wallet *w, const struct plan *p,
                         const struct chain_state *st, struct reservation *out)
{
    struct chain_state placed = *st;

    if (!wallet_reserved(ctx->db, w, p, st, out))
        return false;
    if (reservation_is_none(out))
        return true;
    wallet_place(ctx, a, w, p, &placed);
    return wallet_reserved(ctx->db, w, p, &placed, out);
}
