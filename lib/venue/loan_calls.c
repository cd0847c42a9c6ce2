#include "venue/loan_calls.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "venue/form.h"

static const struct loan_row *find_row(const struct contract *k, uint32_t selector)
{
    const struct loan_row *row = k != NULL ? k->kind->loans : NULL;

    while (row != NULL && row->selector != 0 && row->selector != selector)
        row++;
    return row != NULL && row->selector != 0 ? row : NULL;
}

/* Whether each member of the set is the word. */
static bool members_are(const struct form *f, uint32_t set, const uint8_t word[static ABI_WORD])
{
    for (unsigned i = 0; i < FORM_MEMBERS; i++)
        if ((set >> i & 1) != 0 && (f->first[i] == NULL || memcmp(f->first[i], word, ABI_WORD) != 0))
            return false;
    return true;
}

static bool members_hold(const struct form *f, const struct loan_row *row, struct evm_addr sender)
{
    uint8_t wallet[ABI_WORD] = { 0 }, rate[ABI_WORD] = { [ABI_WORD - 1] = LOAN_VARIABLE_RATE };
    static const uint8_t zero[ABI_WORD];

    memcpy(wallet + ABI_WORD - EVM_ADDR_LEN, sender.bytes, EVM_ADDR_LEN);
    return members_are(f, row->wallets, wallet) && members_are(f, row->zeros, zero) &&
           members_are(f, row->rates, rate);
}

/* An amount or shares, and not both. */
static bool read_quantity(struct loan *out, const struct form *f, const struct loan_row *row)
{
    if (!abi_get_u256(&out->amount, f->first[row->amount], ABI_WORD, 0))
        return false;
    if (row->act == LOAN_COLLATERAL)
        return true;
    if (row->shares != 0 && !abi_get_u256(&out->shares, f->first[row->shares], ABI_WORD, 0))
        return false;
    return u256_is_zero(out->amount) != u256_is_zero(out->shares);
}

static bool loan_read(struct loan *out, const struct loan_row *row, const struct evm_tx *tx,
                      struct evm_addr sender)
{
    const uint8_t *args = tx->data + ABI_SELECTOR;
    struct evm_addr asset;
    struct form f;

    out->act = row->act;
    if (!u256_is_zero(tx->value) ||
        !form_read(&f, strchr(row->signature, '('), args, tx->data_len - ABI_SELECTOR) ||
        !members_hold(&f, row, sender) || !read_quantity(out, &f, row) ||
        !abi_get_addr(&asset, f.first[row->asset], ABI_WORD, 0))
        return false;
    evm_addr_text(out->asset, asset);
    if (row->market_size != 0)
        keccak256(out->market, args, row->market_size * ABI_WORD);
    return true;
}

enum trade_reading loan_read_evm(struct loan *out, const struct chain *c, const struct evm_tx *tx,
                                 const char *sender)
{
    const struct loan_row *row;
    char to[EVM_ADDR_TEXT_LEN + 1];
    struct evm_addr wallet;

    evm_addr_text(to, tx->to);
    *out = (struct loan){ .act = LOAN_SUPPLY };
    memcpy(out->lender, to, sizeof to);
    if (tx->data_len < ABI_SELECTOR || !evm_addr_read(&wallet, sender))
        return TRADE_UNLISTED;
    row = find_row(contract_at(c, to), abi_get_selector(tx->data));
    if (row == NULL)
        return TRADE_UNLISTED;
    return loan_read(out, row, tx, wallet) ? TRADE_READ : TRADE_UNREADABLE;
}
