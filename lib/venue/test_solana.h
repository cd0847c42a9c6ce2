/* Solana transactions of a wallet, for tests: instructions as Jupiter would have them, and others. */
#ifndef VENUE_TEST_SOLANA_H
#define VENUE_TEST_SOLANA_H

#include "base/test.h"
#include "chain/solana/derived.h"
#include "chain/solana/solana_message.h"
#include "chain/solana/solana_programs.h"

enum { IN = 1000000, QUOTED = 3000007, SLIPPAGE = 300, MINIMUM = 2910006, CALLS_MAX = 8 };

/* `trader` is whose transactions they are; a test may have another. */
static struct solana_addr trader = { { 1 } };
static const struct solana_addr outsider = { { 2 } }, some_mint = { { 3 } };

struct scene {
    struct solana_call calls[CALLS_MAX];
    unsigned count;
    struct solana_account accounts[64];
    unsigned account_count;
    uint8_t data[256];
    size_t data_len;
};

static inline struct solana_addr held(const struct solana_addr *owner, const struct solana_addr *of)
{
    struct solana_addr a;

    CHECK(solana_token_account(&a, owner, &SOLANA_TOKEN, of));
    return a;
}

static inline void put(struct scene *s, uint64_t v, size_t len)
{
    for (size_t i = 0; i < len; i++)
        s->data[s->data_len++] = (uint8_t)(v >> 8 * i);
}

static inline void account_add(struct scene *s, const struct solana_addr *key, bool signs, bool writes)
{
    s->accounts[s->account_count++] = (struct solana_account){ *key, signs, writes };
    s->calls[s->count - 1].account_count++;
}

/* Begins a call; bytes added from here on are its data. */
static inline void call_begin(struct scene *s, const struct solana_addr *program)
{
    s->calls[s->count++] = (struct solana_call){ .program = *program,
                                                 .accounts = &s->accounts[s->account_count],
                                                 .data = &s->data[s->data_len] };
}

static inline void call_end(struct scene *s)
{
    struct solana_call *c = &s->calls[s->count - 1];

    c->data_len = (size_t)(&s->data[s->data_len] - c->data);
}

static inline void compute(struct scene *s, uint64_t units, uint64_t price)
{
    call_begin(s, &SOLANA_COMPUTE_BUDGET);
    put(s, 2, 1);
    put(s, units, 4);
    call_end(s);
    call_begin(s, &SOLANA_COMPUTE_BUDGET);
    put(s, 3, 1);
    put(s, price, 8);
    call_end(s);
}

static inline void pay_coin(struct scene *s, const struct solana_addr *to, uint64_t amount)
{
    call_begin(s, &SOLANA_SYSTEM);
    account_add(s, &trader, true, true);
    account_add(s, to, false, true);
    put(s, 2, 4);
    put(s, amount, 8);
    call_end(s);
}

/* `at` need not be what it is said to be. */
static inline void open_at(struct scene *s, const struct solana_addr *at, const struct solana_addr *owner,
                           const struct solana_addr *program, const struct solana_addr *of)
{
    call_begin(s, &SOLANA_ASSOCIATED_TOKEN);
    account_add(s, &trader, true, true);
    account_add(s, at, false, true);
    account_add(s, owner, false, false);
    account_add(s, of, false, false);
    account_add(s, &SOLANA_SYSTEM, false, false);
    account_add(s, program, false, false);
    put(s, 1, 1);
    call_end(s);
}

static inline void open_for(struct scene *s, const struct solana_addr *owner, const struct solana_addr *of)
{
    const struct solana_addr at = held(owner, of);

    open_at(s, &at, owner, &SOLANA_TOKEN, of);
}

static inline void close_of(struct scene *s, const struct solana_addr *what, const struct solana_addr *to,
                            const struct solana_addr *owner)
{
    call_begin(s, &SOLANA_TOKEN);
    account_add(s, what, false, true);
    account_add(s, to, false, true);
    account_add(s, owner, solana_addr_eq(owner, &trader), false);
    put(s, 9, 1);
    call_end(s);
}

static inline void close_to(struct scene *s, const struct solana_addr *what, const struct solana_addr *to)
{
    close_of(s, what, to, &trader);
}

/* transferChecked of the trader's into an account. */
static inline void transfer_of_mint(struct scene *s, const struct solana_addr *mint,
                                    const struct solana_addr *account, uint64_t amount)
{
    const struct solana_addr mine = held(&trader, mint);

    call_begin(s, &SOLANA_TOKEN);
    account_add(s, &mine, false, true);
    account_add(s, mint, false, false);
    account_add(s, account, false, true);
    account_add(s, &trader, true, false);
    put(s, 12, 1);
    put(s, amount, 8);
    put(s, 6, 1);
    call_end(s);
}

static inline void transfer_to(struct scene *s, const struct solana_addr *account, uint64_t amount)
{
    transfer_of_mint(s, &some_mint, account, amount);
}

/* Counts what an account of the wrapped coin was given. */
static inline void sync_of(struct scene *s, const struct solana_addr *account)
{
    call_begin(s, &SOLANA_TOKEN);
    account_add(s, account, false, true);
    put(s, 17, 1);
    call_end(s);
}

/* Coin into the trader's account of its wrapped form. */
static inline void wrapping(struct scene *s, uint64_t amount)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    open_for(s, &trader, &SOLANA_WRAPPED_COIN);
    pay_coin(s, &account, amount);
    sync_of(s, &account);
}

/* Out of it: what `shown` has beyond `rest`. */
static inline void unwrapping(struct scene *s, uint64_t shown, uint64_t rest)
{
    const struct solana_addr account = held(&trader, &SOLANA_WRAPPED_COIN);

    *s = (struct scene){ .count = 0 };
    transfer_of_mint(s, &SOLANA_WRAPPED_COIN, &account, shown);
    close_to(s, &account, &trader);
    if (rest > 0)
        wrapping(s, rest);
}

/* Scenes that transfer the coin, and a token, to `outsider`. */
static inline void coin_away(struct scene *s)
{
    *s = (struct scene){ .count = 0 };
    compute(s, 1000, 100000);
    pay_coin(s, &outsider, IN);
}

static inline void token_away(struct scene *s)
{
    const struct solana_addr theirs = held(&outsider, &some_mint);

    *s = (struct scene){ .count = 0 };
    compute(s, 150000, 100000);
    open_for(s, &outsider, &some_mint);
    transfer_to(s, &theirs, IN);
}

/* route_v2 out of one account into another. */
static inline void route(struct scene *s, const struct solana_addr *source,
                         const struct solana_addr *destination, const struct solana_addr *sell,
                         const struct solana_addr *buy, uint64_t amount, uint64_t quoted)
{
    static const struct solana_addr events = { { 9 } };
    const struct solana_addr *rest[] = {
        sell, buy, &SOLANA_TOKEN, &SOLANA_TOKEN, &SOLANA_JUPITER, &events, &SOLANA_JUPITER
    };

    call_begin(s, &SOLANA_JUPITER);
    account_add(s, &trader, true, true);
    account_add(s, source, false, true);
    account_add(s, destination, false, true);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        account_add(s, rest[i], false, false);
    put(s, 0x14afc431ccfa64bb, 8);
    put(s, amount, 8);
    put(s, quoted, 8);
    put(s, SLIPPAGE, 2);
    put(s, 0, 2);
    put(s, 0, 4);
    call_end(s);
}

/* Coin for the token of `some_mint`, as Jupiter makes it. */
static inline void coin_for_token(struct scene *s)
{
    const struct solana_addr wrapped = held(&trader, &SOLANA_WRAPPED_COIN),
                             bought = held(&trader, &some_mint);

    *s = (struct scene){ .count = 0 };
    compute(s, 300000, 2000001);
    open_for(s, &trader, &SOLANA_WRAPPED_COIN);
    pay_coin(s, &wrapped, IN);
    open_for(s, &trader, &some_mint);
    route(s, &wrapped, &bought, &SOLANA_WRAPPED_COIN, &some_mint, IN, QUOTED);
    close_to(s, &wrapped, &trader);
}

/* The unsigned transaction as `payer` would sign it. */
static inline void scene_write(struct buf *out, const struct scene *s, const struct solana_addr *payer)
{
    static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 7 };

    CHECK(solana_tx_write(out, payer, s->calls, s->count, blockhash));
}

#endif
