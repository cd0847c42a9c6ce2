#include "exec/elsewhere.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chain/address.h"
#include "exec/chain_ops.h"
#include "store/executions.h"

/* A bridged token has its chain or bridge behind a dot. */
static bool is_called(const struct token *t, const char *symbol)
{
    size_t n = strcspn(symbol, ".");

    return strcspn(t->symbol, ".") == n && strncasecmp(t->symbol, symbol, n) == 0;
}

const char *elsewhere_text(const struct ctx *ctx, struct arena *a, const char *address,
                           const struct chain *here, const char *symbol)
{
    struct holdings held = { .unread = ARENA_ARRAY(a, const struct chain *, chains_count) };
    const struct chain_ops *family = chain_ops_of(here);
    struct wallet w = { .ref.kind = wallet_kind_on(here) };
    const char *text = "";

    if (family == NULL)
        return "";
    (void)snprintf(w.ref.address, sizeof w.ref.address, "%s", address);
    family->balances(ctx, a, &w, 1, NULL, &held);
    for (size_t i = 0; i < held.count; i++) {
        const struct holding *h = &held.held[i];

        if (h->chain != here && is_called(h->token, symbol))
            text = arena_printf(a, "%s%s%s %s on %s", text, *text == '\0' ? "; it has " : ", ",
                                amount_text(a, h->balance), h->token->symbol, h->chain->key);
    }
    return *text == '\0' ? "" : arena_printf(a, "%s: name that chain, or bridge from it", text);
}

const struct err *elsewhere_explain(const struct ctx *ctx, struct arena *a, const char *address,
                                    const struct chain *here, const char *symbol, const struct err *e)
{
    const char *text = elsewhere_text(ctx, a, address, here, symbol);

    return *text == '\0' ? e : err_hint(a, e, arena_printf(a, "%s%s", e->hint, text));
}

const struct err *elsewhere_none(const struct ctx *ctx, struct arena *a, const char *address,
                                 const struct chain *here, const char *symbol)
{
    const struct err *e =
        err_hint(a, &E_BALANCE,
                 arena_printf(a, "Wallet %s has 0 %s at hand on %s, more than that is needed: fund it",
                              address, symbol, here->key));

    return elsewhere_explain(ctx, a, address, here, symbol, e);
}

const struct err *elsewhere_deposit(const struct ctx *ctx, struct arena *a, uint64_t agent_id,
                                    enum exec_kind_id kind, const char *path, const struct err *e)
{
    struct execution x;
    uint64_t id;

    if (executions_under_way(ctx->db, agent_id, kind, &id) != LOOKUP_FOUND ||
        executions_get(ctx->db, a, agent_id, id, &x) != LOOKUP_FOUND)
        return e;
    return err_hint(
        a, e,
        arena_printf(a,
                     "Deposit %llu of %s %s has not ended: wait until GET %s%llu shows completed, "
                     "then try again",
                     (unsigned long long)id, amount_text(a, (struct amount){ x.amount_in, x.from.decimals }),
                     x.from.symbol, path, (unsigned long long)id));
}
