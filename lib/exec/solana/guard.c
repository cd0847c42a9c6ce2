#include "exec/solana/guard.h"

#include <string.h>

#include "chain/tokens.h"
#include "exec/solana/reading.h"

/* The coin's address is that of its wrapped form: what tells them apart is how trades name the coin. */
static bool is_token(const char *token, const struct token_ref *t)
{
    const struct token *known = token_known(t);

    return strcmp(token, known != NULL && token_is_native(known) ? TRADE_COIN : t->address) == 0;
}

static const char *check_output(const struct plan *p, const struct trade *t)
{
    if (!is_token(t->buy, &p->arrives.token))
        return "another output";
    return u256_cmp(t->minimum, p->arrives.amount) < 0 ? "a lower minimum" : NULL;
}

static const char *check_step(const struct plan *p, const struct step *s)
{
    struct solana_reading r;
    const char *why = solana_step_trade(&r, p, s);

    if (why != NULL)
        return why;
    if (!is_token(r.trade.sell, &p->leaves.token) || u256_cmp(r.trade.amount, p->leaves.amount) != 0)
        return "another input";
    if (!solana_is_transfer(p) && (why = check_output(p, &r.trade)) != NULL)
        return why;
    if (strcmp(r.trade.recipient, p->recipient != NULL ? p->recipient : p->wallet) != 0)
        return p->recipient != NULL ? "another recipient" : "recipient is not the wallet";
    return u256_cmp(r.trade.value, s->value) == 0 ? NULL : "value that is not traded";
}

const char *solana_guard_steps(const struct plan *p)
{
    const char *why = NULL;

    for (unsigned i = 0; why == NULL && i < p->count; i++)
        why = check_step(p, &p->steps[i]);
    return why;
}
