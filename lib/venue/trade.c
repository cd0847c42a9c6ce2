#include "venue/trade.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "venue/aggregators.h"
#include "venue/calls.h"
#include "venue/erc20.h"
#include "venue/hyperliquid_deposit.h"
#include "venue/loan_calls.h"

bool trade_sells_coin(const struct trade *t)
{
    return strcmp(t->sell, TRADE_COIN) == 0;
}

bool trade_buys_coin(const struct trade *t)
{
    return strcmp(t->buy, TRADE_COIN) == 0;
}

/* A token's own calls are understood wherever the token is; those of 0x's Settlers wherever one says to be,
 * on the chains with their registry. */
static const struct call_row *find_row(const struct chain *c, struct trade *t, const char *to,
                                       uint32_t selector)
{
    const struct call_row *row = call_row_of(&erc20_contract, selector);
    const struct contract *k = contract_at(c, to), *registry = contract_of(c, &zerox_registry);

    t->contract = k;
    if (row != NULL)
        return row;
    if (k != NULL)
        return call_row_of(k->kind, selector);
    if (registry != NULL && (row = call_row_of(&zerox_registry, selector)) != NULL)
        t->contract = registry;
    return row;
}

static struct u256 value_spent(const struct trade *t, const struct call_row *row, const struct chain *c)
{
    const struct token *wrapped = token_wrapped_native(c);

    if (row->sell.at == COIN || (row->coin != NULL && trade_sells_coin(t)))
        return t->amount;
    if (row->takes_coin && !u256_is_zero(t->value) && wrapped != NULL &&
        strcmp(t->sell, wrapped->address_text) == 0)
        return t->amount;
    return U256_ZERO;
}

static enum trade_reading read_payment(struct trade *out, const char *to)
{
    out->act = TRADE_PAYMENT;
    (void)snprintf(out->sell, sizeof out->sell, TRADE_COIN);
    out->amount = out->value_spent = out->value;
    (void)snprintf(out->recipient, sizeof out->recipient, "%s", to);
    return TRADE_READ;
}

/* The allowance bounds an amount that the call itself does not. */
static enum trade_reading read_loan(struct trade *out, const struct evm_call *call, const struct evm_tx *tx)
{
    enum trade_reading reading = loan_read_evm(&out->loan, call->chain, tx, call->sender);

    if (reading != TRADE_READ)
        return reading;
    out->act = TRADE_LOAN;
    if (loan_takes(&out->loan) && loan_is_exact(&out->loan)) {
        memcpy(out->sell, out->loan.asset, sizeof out->sell);
        out->amount = out->loan.amount;
    }
    return TRADE_READ;
}

enum trade_reading trade_read_evm(struct trade *out, const struct chain *c, const struct evm_tx *tx,
                                  const char *sender, struct trade_proof proof)
{
    char to[EVM_ADDR_TEXT_LEN + 1];
    struct evm_call call = { .chain = c, .to = to, .sender = sender, .value = tx->value, .proof = proof };
    const struct call_row *row;

    *out = (struct trade){ .value = tx->value };
    evm_addr_text(to, tx->to);
    if (tx->data_len == 0)
        return read_payment(out, to);
    if (tx->data_len < ABI_SELECTOR)
        return TRADE_UNLISTED;
    row = find_row(c, out, to, abi_get_selector(tx->data));
    if (row == NULL)
        return read_loan(out, &call, tx);
    call.args = tx->data + ABI_SELECTOR;
    call.len = tx->data_len - ABI_SELECTOR;
    if (!call_read(out, row, &call))
        return TRADE_UNREADABLE;
    hyperliquid_transfer_read(out, &call);
    out->value_spent = value_spent(out, row, c);
    const struct contract *k = contract_at(c, out->spender);
    out->spender_listed = k != NULL && (out->act == TRADE_TRUST ? k->kind->trusted : k->kind->spender);
    return TRADE_READ;
}
