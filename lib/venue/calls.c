#include "venue/calls.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"
#include "chain/solana/solana_addr.h"

static const struct call_row *find_row(const struct call_row *row, uint32_t selector)
{
    while (row != NULL && row->selector != 0 && row->selector != selector)
        row++;
    return row != NULL && row->selector != 0 ? row : NULL;
}

const struct call_row *call_row_of(const struct contract_kind *kind, uint32_t selector)
{
    const struct call_row *row = find_row(kind->calls, selector);

    return row != NULL ? row : find_row(kind->bridges, selector);
}

/* A call's arguments while they are read by a row. */
struct reading {
    const struct call_row *row;
    const struct evm_call *call;
    const struct chain *bought_on;
    struct form form;
};

static const uint8_t *place_word(const struct reading *r, struct place p)
{
    switch (p.at) {
    case WORD:
        return r->form.first[p.word];
    case LAST:
        return r->form.last[p.word];
    default:
        return NULL;
    }
}

static bool zeros_hold(const struct reading *r)
{
    static const uint8_t zero[ABI_WORD];

    for (unsigned i = 0; i < FORM_MEMBERS; i++)
        if ((r->row->zeros >> i & 1) != 0 &&
            (r->form.first[i] == NULL || memcmp(r->form.first[i], zero, ABI_WORD) != 0))
            return false;
    return true;
}

static bool word_address(char out[static TRADE_ADDRESS_MAX], const uint8_t *word, const struct chain *c)
{
    struct solana_addr solana;
    struct evm_addr evm;

    if (word == NULL)
        return false;
    if (c->type == CHAIN_SOLANA) {
        memcpy(solana.bytes, word, sizeof solana.bytes);
        solana_addr_text(out, &solana);
        return true;
    }
    if (!abi_get_addr(&evm, word, ABI_WORD, 0))
        return false;
    evm_addr_text(out, evm);
    return true;
}

/* As chain `c` writes it. */
static bool read_address(char out[static TRADE_ADDRESS_MAX], const struct reading *r, struct place p,
                         const struct chain *c)
{
    switch (p.at) {
    case NOWHERE:
        return true;
    case VALUE:
        return false;
    case COIN:
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", TRADE_COIN);
        return true;
    case CALLED:
    case SENDER:
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", p.at == CALLED ? r->call->to : r->call->sender);
        return true;
    case WORD:
    case LAST:
        break;
    }
    return word_address(out, place_word(r, p), c);
}

/* Only what stands for the coin becomes TRADE_COIN, which is the zero address. */
static bool read_token(char out[static TRADE_ADDRESS_MAX], const struct reading *r, struct place p,
                       const struct chain *c)
{
    const char *coin = r->row->coin;

    if (!read_address(out, r, p, c))
        return false;
    if (p.at != WORD && p.at != LAST)
        return true;
    if (coin != NULL && strcmp(out, coin) == 0) {
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", TRADE_COIN);
        return true;
    }
    return strcmp(out, TRADE_COIN) != 0;
}

static bool read_recipient(char out[static TRADE_ADDRESS_MAX], const struct reading *r)
{
    if (!read_address(out, r, r->row->recipient, r->bought_on))
        return false;
    if (r->row->zero_is_sender && strcmp(out, EVM_ADDR_ZERO) == 0)
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", r->call->sender);
    return true;
}

static bool read_amount(struct u256 *out, const struct reading *r, struct place p)
{
    const uint8_t *word = place_word(r, p);

    if (p.at == VALUE)
        *out = r->call->value;
    return p.at == NOWHERE || p.at == VALUE || (word != NULL && abi_get_u256(out, word, ABI_WORD, 0));
}

static bool read_deadline(uint64_t *out, const struct reading *r, struct place p)
{
    const uint8_t *word = place_word(r, p);

    return p.at == NOWHERE || (word != NULL && abi_get_u64(out, word, ABI_WORD, 0));
}

/* Another one, of those that are read. */
static bool read_far_chain(struct trade *out, struct reading *r)
{
    const uint8_t *word = place_word(r, r->row->far_chain);

    if (r->row->far_chain.at == NOWHERE)
        return true;
    if (word == NULL || !abi_get_u64(&out->far_chain, word, ABI_WORD, 0))
        return false;
    r->bought_on = chain_by_id(out->far_chain);
    return r->bought_on != NULL && r->bought_on != r->call->chain &&
           (r->bought_on->type == CHAIN_EVM || r->bought_on->type == CHAIN_SOLANA);
}

bool call_read(struct trade *out, const struct call_row *row, const struct evm_call *call)
{
    struct reading r = { .row = row, .call = call, .bought_on = call->chain };
    /* Without the mark. */
    size_t len = call->len % ABI_WORD == row->mark ? call->len - row->mark : call->len;

    out->act = row->act;
    return form_read(&r.form, strchr(row->signature, '('), call->args, len) && zeros_hold(&r) &&
           read_far_chain(out, &r) && read_token(out->sell, &r, row->sell, call->chain) &&
           read_amount(&out->amount, &r, row->amount) && read_token(out->buy, &r, row->buy, r.bought_on) &&
           read_amount(&out->minimum, &r, row->minimum) && read_recipient(out->recipient, &r) &&
           read_address(out->spender, &r, row->spender, call->chain) &&
           read_address(out->refund, &r, row->refund, call->chain) &&
           read_address(out->executor, &r, row->executor, call->chain) &&
           read_deadline(&out->deadline, &r, row->deadline) &&
           (row->check == NULL || row->check(out, call, &r.form));
}

bool call_read_inner(struct trade *out, const struct call_row *rows, const struct evm_call *outer,
                     const uint8_t *member)
{
    struct evm_call call = *outer;
    const struct call_row *row;

    call.args = form_content(member);
    call.len = form_length(member);
    if (call.len < ABI_SELECTOR || (row = find_row(rows, abi_get_selector(call.args))) == NULL)
        return false;
    call.args += ABI_SELECTOR;
    call.len -= ABI_SELECTOR;
    return call_read(out, row, &call);
}
