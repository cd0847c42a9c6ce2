#include "signer/signer_rules.h"

#include <string.h>

#include "chain/solana/solana_addr.h"
#include "signer/polymarket.h"
#include "venue/polymarket_calls.h"

static const char NOT_LISTED[] = "target or call not on the list", UNREADABLE[] = "call not understood",
                  ELSEWHERE[] = "recipient is not the wallet", NO_MINIMUM[] = "no minimum";

/* Pools count what they hold in 112 or 128 bits: no swap can need more units. */
static bool is_unbounded(struct u256 allowance)
{
    static const struct u256 most = { { UINT64_MAX, UINT64_MAX, 0, 0 } };

    return u256_cmp(allowance, most) > 0;
}

/* A swap needs exactly its input. */
const char *rules_check_allowance(const struct trade *t)
{
    if (is_unbounded(t->amount))
        return "allowance without a bound";
    return t->spender_listed ? NULL : "spender not on the list";
}

/* Collateral for bets, be it wrapped or sent, may go to the deposit wallet. */
static bool is_deposit(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;
    bool collateral = strcmp(t->act == TRADE_TRANSFER ? t->sell : t->buy, POLYMARKET_COLLATERAL) == 0;

    return collateral && act->chain_id == POLYMARKET_CHAIN_ID && is_deposit_wallet(t->recipient, wallet);
}

/* Whether the minimum is worth what is paid is the worker's word; that there is one is not. */
static const char *check_swap(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;

    if (strcmp(t->recipient, wallet) != 0 && !is_deposit(act, wallet))
        return ELSEWHERE;
    if (strcmp(t->sell, t->buy) == 0)
        return "bought for itself";
    if (u256_is_zero(t->minimum))
        return NO_MINIMUM;
    return t->executor[0] == '\0' || act->executor_known ? NULL : "a Settler that is not known";
}

/* A bridge has to pay the wallet or the far wallet, and refund the wallet. */
static const char *check_bridge(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;
    bool far = act->far_wallet[0] != '\0';

    if (strcmp(t->recipient, far ? act->far_wallet : wallet) != 0)
        return far ? "recipient is not the far wallet" : ELSEWHERE;
    if (t->refund[0] != '\0' && strcmp(t->refund, wallet) != 0)
        return "refund for another account";
    return u256_is_zero(t->minimum) ? NO_MINIMUM : NULL;
}

static const char *check_trade(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;
    bool own = strcmp(t->recipient, wallet) == 0;

    switch (t->act) {
    case TRADE_PAYMENT: /* of nothing, to itself: a nonce that is not used otherwise */
        return own && u256_is_zero(t->value) ? NULL : NOT_LISTED;
    case TRADE_TRANSFER:
        return is_deposit(act, wallet) ? NULL : NOT_LISTED;
    case TRADE_ALLOWANCE:
        return rules_check_allowance(t);
    case TRADE_TRUST:
        return t->spender_listed ? NULL : "spender not on the list";
    case TRADE_SWAP:
        return check_swap(act, wallet);
    case TRADE_BRIDGE:
        return check_bridge(act, wallet);
    case TRADE_REDEEM: /* pays its caller */
    case TRADE_LOAN:   /* is read only if it is the wallet's own */
        return NULL;
    case TRADE_DEPOSIT:
        return !own ? ELSEWHERE : u256_is_zero(t->minimum) ? NO_MINIMUM : NULL;
    case TRADE_ORDER: /* no transaction is one */
        break;
    }
    return NOT_LISTED;
}

const char *rules_check(const struct act *act, const char *wallet)
{
    const struct trade *t = &act->trade;

    if (act->flaw != NULL)
        return act->flaw;
    if (act->reading != TRADE_READ)
        return act->reading == TRADE_UNLISTED ? NOT_LISTED : UNREADABLE;
    /* Coin beyond the input would stay where any caller may take it. */
    return u256_cmp(t->value, t->value_spent) == 0 ? check_trade(act, wallet) : "value that is not traded";
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

/* ---- Recipients of plain transfers ---- */

static bool is_evm_address(const char *text)
{
    char again[EVM_ADDR_TEXT_LEN + 1];
    struct evm_addr a;

    if (!evm_addr_parse(&a, text) || evm_addr_is_zero(a))
        return false;
    evm_addr_text(again, a);
    return strcmp(again, text) == 0;
}

static bool is_solana_address(const char *text)
{
    static const struct solana_addr zero;
    char again[SOLANA_ADDR_TEXT_LEN + 1];
    struct solana_addr a;

    if (!solana_addr_parse(&a, text) || solana_addr_eq(&a, &zero))
        return false;
    solana_addr_text(again, &a);
    return strcmp(again, text) == 0;
}

const char *rules_check_address(enum chain_type family, const char *address)
{
    bool ok =
        family == CHAIN_EVM ? is_evm_address(address) : family == CHAIN_SOLANA && is_solana_address(address);

    if (!ok)
        return "no address that can be paid";
    for (size_t i = 0; i < chains_count; i++)
        if (chains[i].type == family && contract_at(&chains[i], address) != NULL)
            return "address of a contract";
    return NULL;
}

const char *rules_check_withdrawal(const struct act *act, const char *wallet, const char *address)
{
    const struct trade *t = &act->trade;

    if (strcmp(t->recipient, address) != 0)
        return "recipient is not the address";
    if (strcmp(address, wallet) == 0)
        return "recipient is the wallet";
    if (strcmp(address, t->sell) == 0)
        return "recipient is the token";
    return rules_check_address(act->chain->type, address);
}
