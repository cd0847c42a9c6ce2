/* For tests: accounts of tokens and mints as the token programs keep them, written member by member, and
 * accounts and answers as nodes show them. */
#ifndef CHAIN_SOLANA_TEST_ACCOUNTS_H
#define CHAIN_SOLANA_TEST_ACCOUNTS_H

#include "base/test.h"
#include "chain/solana/solana_dialect.h"
#include "chain/solana/solana_rpc.h"
#include "codec/base64.h"

enum { KEPT_IN_USE = 1, KEPT_FROZEN = 2 };

/* An account that holds a token; keys that are NULL are not there. */
struct cached_token {
    const struct solana_addr *mint, *owner;
    uint64_t amount;
    const struct solana_addr *delegate;
    uint64_t delegated;
    const struct solana_addr *closer;
    uint8_t state; /* 0: not in use */
};

static inline void add_number(struct buf *b, uint64_t v, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buf_addc(b, (uint8_t)(v >> 8 * i));
}

static inline void add_zeros(struct buf *b, size_t until)
{
    while (b->len < until)
        buf_addc(b, 0);
}

static inline void add_key(struct buf *b, const struct solana_addr *key)
{
    buf_add(b, key->bytes, sizeof key->bytes);
}

static inline void add_key_or_none(struct buf *b, const struct solana_addr *key)
{
    static const struct solana_addr none;

    add_number(b, key != NULL, 4);
    add_key(b, key != NULL ? key : &none);
}

static inline void add_token(struct buf *b, const struct cached_token *t)
{
    add_key(b, t->mint);
    add_key(b, t->owner);
    add_number(b, t->amount, 8);
    add_key_or_none(b, t->delegate);
    add_number(b, t->state, 1);
    add_number(b, 0, 4); /* whether it is the wrapped coin's, and what it holds at least then */
    add_number(b, 0, 8);
    add_number(b, t->delegated, 8);
    add_key_or_none(b, t->closer);
}

static inline void add_mint(struct buf *b, uint8_t decimals, bool in_use)
{
    static const struct solana_addr authority = { { 11 } };

    add_key_or_none(b, &authority);
    add_number(b, 1000000, 8);
    add_number(b, decimals, 1);
    add_number(b, in_use, 1);
    add_key_or_none(b, NULL);
}

/* As nodes show it, with its epoch of rent, which is beyond what Jansson's integers hold. */
static inline void add_account(struct buf *b, const struct solana_state *s)
{
    char program[SOLANA_ADDR_TEXT_LEN + 1], data[BASE64_LEN(512) + 1];

    if (!s->exists) {
        buf_adds(b, "null");
        return;
    }
    CHECK(s->len <= 512);
    solana_addr_text(program, &s->program);
    base64_encode(data, s->data, s->len);
    buf_addf(b,
             "{\"data\":[\"%s\",\"base64\"],\"executable\":false,\"lamports\":%llu,\"owner\":\"%s\","
             "\"rentEpoch\":18446744073709551615,\"space\":%zu}",
             data, (unsigned long long)s->lamports, program, s->len);
}

/* An answer of a node to one question, which is in `answers`. */
static inline const struct rpc_answer *answer_of(struct rpc_answers *answers, struct arena *a,
                                                 const char *result)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);

    buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":%s}", result);
    CHECK(rpc_read(answers, a, &body, 1, solana_dialect.classify));
    buf_free(&body);
    return &answers->items[0];
}

#endif
