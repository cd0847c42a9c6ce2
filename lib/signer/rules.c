#include "signer/rules.h"

#include <string.h>

#include "chain/chains.h"
#include "chain/evm/abi.h"

static const char NOT_LISTED[] = "target or call not on the list", UNREADABLE[] = "call not understood",
                  ELSEWHERE[] = "recipient is not the wallet";

/* Pools count what they hold in 112 or 128 bits: no swap can need more units. */
static bool is_unbounded(struct u256 allowance)
{
    static const struct u256 most = { { UINT64_MAX, UINT64_MAX, 0, 0 } };

    return u256_cmp(allowance, most) > 0;
}

/* Only to a listed spender, and never without a bound: a swap needs exactly its input. */
static const char *check_allowance(const struct trade *t, const struct chain *c)
{
    const struct contract *spender = contract_at(c, t->spender);

    if (is_unbounded(t->amount))
        return "allowance without a bound";
    return spender != NULL && contract_is_spender(spender) ? NULL : "spender not on the list";
}

static const char *check_act(const struct trade *t, const struct chain *c, const char *wallet)
{
    switch (t->act) {
    case TRADE_PAYMENT: /* of nothing, to itself: a nonce that is not used otherwise */
        return strcmp(t->recipient, wallet) == 0 && u256_is_zero(t->value) ? NULL : NOT_LISTED;
    case TRADE_TRANSFER:
        return NOT_LISTED;
    case TRADE_ALLOWANCE:
        return check_allowance(t, c);
    case TRADE_SWAP:
        return strcmp(t->recipient, wallet) == 0 ? NULL : ELSEWHERE;
    }
    return NOT_LISTED;
}

static void describe(struct act *out, const struct evm_tx *tx)
{
    *out = (struct act){ .chain_id = tx->chain_id, .nonce = tx->nonce, .trade = { .value = tx->value } };
    evm_addr_text(out->to, tx->to);
    out->has_selector = tx->data_len >= ABI_SELECTOR;
    if (out->has_selector)
        out->selector = abi_get_selector(tx->data);
}

/* What holds for everything that is signed; reads what it does. */
static const char *check_form(struct act *out, const struct evm_tx *tx, const char *wallet,
                              enum trade_reading *reading)
{
    const struct chain *c = chain_by_id(tx->chain_id);
    bool fits;

    describe(out, tx);
    fits = u256_mul(&out->native, u256_from_u64(tx->gas_limit), tx->max_fee) &&
           u256_add(&out->native, out->native, tx->value);
    if (!fits)
        return "value and fee exceed what there can be";
    if (c == NULL || c->type != CHAIN_EVM)
        return "no such chain";
    if (tx->create || tx->access_list_len != 0)
        return "neither a call nor a payment";
    *reading = trade_read_evm(&out->trade, c, tx, wallet);
    out->has_token = *reading == TRADE_READ && !trade_sells_coin(&out->trade);
    return NULL;
}

const char *rules_check_evm(struct act *out, const struct evm_tx *tx, const char *wallet)
{
    const struct chain *c = chain_by_id(tx->chain_id);
    const struct trade *t = &out->trade;
    enum trade_reading reading;
    const char *why = check_form(out, tx, wallet, &reading);

    if (why != NULL)
        return why;
    if (out->has_selector && !contracts_on(c))
        return "no trade on this chain";
    if (reading != TRADE_READ)
        return reading == TRADE_UNLISTED ? NOT_LISTED : UNREADABLE;
    why = check_act(t, c, wallet);
    /* What does not pay for the input would be left where anybody may take it. */
    return why != NULL || u256_cmp(t->value, t->value_spent) == 0 ? why : "value that is not traded";
}

const char *rules_check_evm_sweep(struct act *out, const struct evm_tx *tx, const char *wallet)
{
    enum trade_reading reading;
    const char *why = check_form(out, tx, wallet, &reading);
    const struct trade *t = &out->trade;
    bool plain;

    if (why != NULL)
        return why;
    if (reading == TRADE_UNREADABLE)
        return UNREADABLE;
    plain = t->act == TRADE_PAYMENT || (t->act == TRADE_TRANSFER && u256_is_zero(t->value));
    return reading == TRADE_READ && plain ? NULL : "not a plain transfer";
}
