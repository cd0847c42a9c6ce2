#include "exec/solana/solana_guard.h"

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

/* On this chain or, exactly where the plan says so, on another one. */
static const char *check_place(const struct plan *p, const struct trade *t)
{
    if (p->bridge == NULL)
        return t->act == TRADE_BRIDGE ? "for another chain" : NULL;
    if (t->act != TRADE_BRIDGE)
        return "nothing on another chain";
    if (t->far_chain != p->arrives.token.chain_id)
        return "another output";
    if (strcmp(t->refund, p->wallet) != 0)
        return "refund for another account";
    return t->far_deadline == (uint64_t)p->bridge->deadline ? NULL : "another deadline on the other chain";
}

static const char *check_step(const struct plan *p, const struct step *s)
{
    struct solana_reading r;
    const char *why = solana_step_trade(&r, p, s);

    if (why != NULL || (why = check_place(p, &r.trade)) != NULL)
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
