#include "chain/solana/solana_calls.h"

#include "chain/solana/derived.h"
#include "chain/solana/solana_programs.h"

static void begin(struct solana_calls *c, const struct solana_addr *program)
{
    c->list[c->count] = (struct solana_call){ .program = *program,
                                              .accounts = c->accounts[c->count],
                                              .data = c->data[c->count] };
    c->count++;
}

static void account(struct solana_calls *c, const struct solana_addr *key, bool signs, bool writes)
{
    struct solana_call *last = &c->list[c->count - 1];

    c->accounts[c->count - 1][last->account_count++] = (struct solana_account){ *key, signs, writes };
}

static void number(struct solana_calls *c, uint64_t v, size_t bytes)
{
    struct solana_call *last = &c->list[c->count - 1];

    for (size_t i = 0; i < bytes; i++)
        c->data[c->count - 1][last->data_len++] = (uint8_t)(v >> 8 * i);
}

void solana_add_budget(struct solana_calls *c, uint64_t units, uint64_t price)
{
    enum { LIMIT = 2, PRICE = 3 };

    begin(c, &SOLANA_COMPUTE_BUDGET);
    number(c, LIMIT, 1);
    number(c, units, 4);
    begin(c, &SOLANA_COMPUTE_BUDGET);
    number(c, PRICE, 1);
    number(c, price, 8);
}

void solana_add_payment(struct solana_calls *c, const struct solana_addr *from, const struct solana_addr *to,
                        uint64_t lamports)
{
    enum { TRANSFER = 2 };

    begin(c, &SOLANA_SYSTEM);
    account(c, from, true, true);
    account(c, to, false, true);
    number(c, TRANSFER, 4);
    number(c, lamports, 8);
}

void solana_add_opening(struct solana_calls *c, const struct solana_addr *payer,
                        const struct solana_addr *owner, const struct solana_addr *program,
                        const struct solana_addr *mint)
{
    enum { IDEMPOTENT = 1 };
    struct solana_addr opened = { { 0 } };

    (void)solana_token_account(&opened, owner, program, mint);
    begin(c, &SOLANA_ASSOCIATED_TOKEN);
    account(c, payer, true, true);
    account(c, &opened, false, true);
    account(c, owner, false, false);
    account(c, mint, false, false);
    account(c, &SOLANA_SYSTEM, false, false);
    account(c, program, false, false);
    number(c, IDEMPOTENT, 1);
}

void solana_add_transfer(struct solana_calls *c, const struct solana_token_move *m)
{
    enum { TRANSFER_CHECKED = 12 };

    begin(c, &m->program);
    account(c, &m->from, false, true);
    account(c, &m->mint, false, false);
    account(c, &m->to, false, true);
    account(c, &m->owner, true, false);
    number(c, TRANSFER_CHECKED, 1);
    number(c, m->amount, 8);
    number(c, m->decimals, 1);
}

void solana_add_sync(struct solana_calls *c, const struct solana_addr *of)
{
    enum { SYNC_NATIVE = 17 };

    begin(c, &SOLANA_TOKEN);
    account(c, of, false, true);
    number(c, SYNC_NATIVE, 1);
}

void solana_add_closing(struct solana_calls *c, const struct solana_addr *program,
                        const struct solana_addr *closed, const struct solana_addr *owner,
                        const struct solana_addr *to)
{
    enum { CLOSE = 9 };

    begin(c, program);
    account(c, closed, false, true);
    account(c, to, false, true);
    account(c, owner, true, false);
    number(c, CLOSE, 1);
}
