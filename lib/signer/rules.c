#include "signer/rules.h"

#include <string.h>

static const char NOT_LISTED[] = "target or call not on the list", UNREADABLE[] = "call not understood",
                  ELSEWHERE[] = "recipient is not the wallet";

/* Pools count what they hold in 112 or 128 bits: no swap can need more units. */
static bool is_unbounded(struct u256 allowance)
{
    static const struct u256 most = { { UINT64_MAX, UINT64_MAX, 0, 0 } };

    return u256_cmp(allowance, most) > 0;
}

/* Only to a listed spender, and never without a bound: a swap needs exactly its input. */
static const char *check_allowance(const struct trade *t)
{
    if (is_unbounded(t->amount))
        return "allowance without a bound";
    return t->spender_listed ? NULL : "spender not on the list";
}

static const char *check_trade(const struct trade *t, const char *wallet)
{
    switch (t->act) {
    case TRADE_PAYMENT: /* of nothing, to itself: a nonce that is not used otherwise */
        return strcmp(t->recipient, wallet) == 0 && u256_is_zero(t->value) ? NULL : NOT_LISTED;
    case TRADE_TRANSFER:
        return NOT_LISTED;
    case TRADE_ALLOWANCE:
        return check_allowance(t);
    case TRADE_SWAP:
        return strcmp(t->recipient, wallet) == 0 ? NULL : ELSEWHERE;
    }
    return NOT_LISTED;
}

const char *rules_check(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;
    const char *why;

    if (act->flaw != NULL)
        return act->flaw;
    if (act->has_selector && !t->chain_listed)
        return "no trade on this chain";
    if (act->reading != TRADE_READ)
        return act->reading == TRADE_UNLISTED ? NOT_LISTED : UNREADABLE;
    why = check_trade(t, wallet);
    /* Whatever does not pay for the input would be left where anybody may take it. */
    return why != NULL || u256_cmp(t->value, t->value_spent) == 0 ? why : "value that is not traded";
}

const char *rules_check_transfer(const struct act *act)
{
    const struct trade *t = &act->trade;
    bool plain = t->act == TRADE_PAYMENT || (t->act == TRADE_TRANSFER && u256_is_zero(t->value));

    if (act->flaw != NULL)
        return act->flaw;
    if (act->reading == TRADE_UNREADABLE)
        return UNREADABLE;
    return act->reading == TRADE_READ && plain ? NULL : "not a plain transfer";
}
