#include "venue/calls.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"

enum { V3_FEE_LEN = 3, V3_HOP_LEN = EVM_ADDR_LEN + V3_FEE_LEN };

static const struct call_row *const families[] = { erc20_calls, wrapped_native_calls, uniswap_v2_calls,
                                                   uniswap_v3_calls };

const struct call_row *call_row_of(enum contract_kind kind, uint32_t selector)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        for (const struct call_row *row = families[i]; row->selector != 0; row++)
            if (row->kind == kind && row->selector == selector)
                return row;
    return NULL;
}

/* A call's arguments while they are read by a row. */
struct reading {
    const struct evm_call *call;
    const uint8_t *head;
    size_t len; /* of the head and what follows it */
    struct evm_addr first, last;
};

bool call_read_bytes(const uint8_t **p, size_t *n, const struct evm_call *call, size_t *at)
{
    uint64_t len;
    size_t padded;

    if (*at > call->len || !abi_get_u64(&len, call->args + *at, call->len - *at, 0) ||
        len > call->len - *at - ABI_WORD)
        return false;
    *n = (size_t)len;
    *p = call->args + *at + ABI_WORD;
    padded = (*n + ABI_WORD - 1) / ABI_WORD * ABI_WORD;
    if (padded > call->len - *at - ABI_WORD)
        return false;
    for (size_t i = *n; i < padded; i++)
        if ((*p)[i] != 0)
            return false;
    *at += ABI_WORD + padded;
    return true;
}

static bool read_tail_addresses(struct reading *r, size_t words)
{
    uint64_t count;

    if (r->len % ABI_WORD != 0 || !abi_get_u64(&count, r->head, r->len, words) || count < 2 ||
        count != r->len / ABI_WORD - words - 1 || !abi_get_addr(&r->first, r->head, r->len, words + 1))
        return false;
    for (size_t i = 2; i <= count; i++)
        if (!abi_get_addr(&r->last, r->head, r->len, words + i))
            return false;
    return true;
}

/* Token, fee, token, and so on, without gaps. */
static bool read_tail_v3_path(struct reading *r, size_t words)
{
    struct evm_call tail = { .args = r->head, .len = r->len };
    size_t at = words * ABI_WORD, n;
    const uint8_t *path;

    if (!call_read_bytes(&path, &n, &tail, &at) || at != r->len || n < EVM_ADDR_LEN + V3_HOP_LEN ||
        (n - EVM_ADDR_LEN) % V3_HOP_LEN != 0)
        return false;
    memcpy(r->first.bytes, path, EVM_ADDR_LEN);
    memcpy(r->last.bytes, path + n - EVM_ADDR_LEN, EVM_ADDR_LEN);
    return true;
}

static bool word_is(const struct reading *r, size_t index, uint64_t want)
{
    uint64_t v;

    return abi_get_u64(&v, r->head, r->len, index) && v == want;
}

/* The head and its tail, which begins right behind it. */
static bool read_form(struct reading *r, const struct call_row *row)
{
    if (row->in_struct) {
        if (!word_is(r, 0, ABI_WORD))
            return false;
        r->head += ABI_WORD;
        r->len -= ABI_WORD;
    }
    for (unsigned i = 0; i < row->words; i++)
        if ((row->zeros >> i & 1) != 0 && !word_is(r, i, 0))
            return false;
    if (row->tail == TAIL_NONE)
        return r->len == (size_t)row->words * ABI_WORD;
    if (!word_is(r, row->tail_at, (uint64_t)row->words * ABI_WORD))
        return false;
    return row->tail == TAIL_ADDRESSES ? read_tail_addresses(r, row->words)
                                       : read_tail_v3_path(r, row->words);
}

static bool read_address(char out[static TRADE_ADDRESS_MAX], const struct reading *r, struct place p)
{
    struct evm_addr a = { { 0 } };

    switch (p.at) {
    case NOWHERE:
        return true;
    case VALUE:
        return false;
    case CALLED:
    case SENDER:
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", p.at == CALLED ? r->call->to : r->call->sender);
        return true;
    case WORD:
        if (!abi_get_addr(&a, r->head, r->len, p.word))
            return false;
        break;
    case TAIL_FIRST:
        a = r->first;
        break;
    case TAIL_LAST:
        a = r->last;
        break;
    case COIN:
        break;
    }
    evm_addr_text(out, a);
    return true;
}

static bool read_amount(struct u256 *out, const struct reading *r, struct place p)
{
    if (p.at == VALUE)
        *out = r->call->value;
    return p.at == NOWHERE || p.at == VALUE || (p.at == WORD && abi_get_u256(out, r->head, r->len, p.word));
}

static bool read_deadline(uint64_t *out, const struct reading *r, struct place p)
{
    return p.at == NOWHERE || (p.at == WORD && abi_get_u64(out, r->head, r->len, p.word));
}

bool call_read(struct trade *out, const struct call_row *row, const struct evm_call *call)
{
    struct reading r = { .call = call, .head = call->args, .len = call->len };

    out->act = row->act;
    if (row->read != NULL)
        return row->read(out, call);
    return read_form(&r, row) && read_address(out->sell, &r, row->sell) &&
           read_amount(&out->amount, &r, row->amount) && read_address(out->buy, &r, row->buy) &&
           read_amount(&out->minimum, &r, row->minimum) && read_address(out->recipient, &r, row->recipient) &&
           read_address(out->spender, &r, row->spender) && read_deadline(&out->deadline, &r, row->deadline);
}
