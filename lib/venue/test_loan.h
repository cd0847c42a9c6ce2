/* Shared by the tests of lenders' calls: an encoded call, read back by loan_read_evm, and lies about it. */
#ifndef VENUE_TEST_LOAN_H
#define VENUE_TEST_LOAN_H

#include <stdlib.h>

#include "venue/loan_calls.h"
#include "venue/test_util.h"

static inline enum trade_reading read_loan(struct loan *out, const struct contract *k, const char *sender,
                                           const void *data, size_t n)
{
    struct evm_tx tx = { .to = contract_addr(k) };
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    enum trade_reading got;

    memcpy(exact, data, n);
    tx.data = exact;
    tx.data_len = n;
    got = loan_read_evm(out, chain_find(k->chain), &tx, sender);
    free(exact);
    return got;
}

static inline bool reads(const struct contract *k, const struct buf *b)
{
    struct loan l;

    return read_loan(&l, k, AT_WALLET, b->data, b->len) == TRADE_READ;
}

/* The same call with another last byte of a word, counted behind the selector. */
static inline bool reads_with(const struct contract *k, const struct buf *b, unsigned word, char last)
{
    struct buf lie = BUF_INIT(4096);
    bool read;

    buf_add(&lie, b->data, b->len);
    lie.data[ABI_SELECTOR + (word + 1) * ABI_WORD - 1] = last;
    read = reads(k, &lie);
    buf_free(&lie);
    return read;
}

/* A call of the wallet's that is read; not when another one sends it, with value, or with a byte too few or
 * too many; and nowhere else. */
static inline void check_loan(struct loan *out, const struct contract *k, const struct buf *b)
{
    const struct chain *c = chain_find(k->chain);
    struct evm_tx tx = { .to = contract_addr(k), .data = (const uint8_t *)b->data, .data_len = b->len };
    struct buf more = BUF_INIT(4096);
    struct loan l;

    for (size_t n = ABI_SELECTOR; n < b->len; n++)
        CHECK(read_loan(&l, k, AT_WALLET, b->data, n) == TRADE_UNREADABLE);
    buf_add(&more, b->data, b->len);
    buf_addc(&more, 0);
    CHECK(!reads(k, &more));
    buf_free(&more);
    tx.value = u256_from_u64(1);
    CHECK(loan_read_evm(&l, c, &tx, AT_WALLET) == TRADE_UNREADABLE);
    tx = (struct evm_tx){ .to = address(AT_OTHER), .data = tx.data, .data_len = tx.data_len };
    CHECK(loan_read_evm(&l, c, &tx, AT_WALLET) == TRADE_UNLISTED);
    CHECK(read_loan(out, k, AT_WALLET, b->data, b->len) == TRADE_READ);
    CHECK_STR(out->lender, k->address);
}

#endif
