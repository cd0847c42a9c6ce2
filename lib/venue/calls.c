#include "venue/calls.h"

#include <stdio.h>
#include <string.h>

#include "chain/evm/abi.h"

const struct call_row *call_row_of(const struct contract_kind *kind, uint32_t selector)
{
    const struct call_row *row = kind->calls;

    while (row != NULL && row->selector != 0 && row->selector != selector)
        row++;
    return row != NULL && row->selector != 0 ? row : NULL;
}

/* A call's arguments while they are read by a row. */
struct reading {
    const struct evm_call *call;
    const uint8_t *head;
    size_t len; /* of the head and what follows it */
    struct call_tail tail;
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

bool call_tail_addresses(struct call_tail *t)
{
    uint64_t count;

    if (t->len % ABI_WORD != 0 || !abi_get_u64(&count, t->data, t->len, 0) || count < 2 ||
        count != t->len / ABI_WORD - 1 || !abi_get_addr(&t->first, t->data, t->len, 1))
        return false;
    for (size_t i = 2; i <= count; i++)
        if (!abi_get_addr(&t->last, t->data, t->len, i))
            return false;
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
    size_t head = (size_t)row->words * ABI_WORD;

    if (row->in_struct) {
        if (!word_is(r, 0, ABI_WORD))
            return false;
        r->head += ABI_WORD;
        r->len -= ABI_WORD;
    }
    for (unsigned i = 0; i < row->words; i++)
        if ((row->zeros >> i & 1) != 0 && !word_is(r, i, 0))
            return false;
    if (row->tail == NULL)
        return r->len == head;
    if (r->len < head || !word_is(r, row->tail_at, head))
        return false;
    r->tail = (struct call_tail){ .data = r->head + head, .len = r->len - head };
    return row->tail(&r->tail);
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
        a = r->tail.first;
        break;
    case TAIL_LAST:
        a = r->tail.last;
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
