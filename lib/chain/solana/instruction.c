#include "chain/solana/instruction.h"

#include <string.h>

#include "chain/solana/solana_programs.h"

/* ---- bytes and accounts of an instruction ---- */

struct instruction {
    const struct solana_instruction *in;
    const struct solana_accounts *accounts;
};

/* NULL where it has fewer. */
static const struct solana_addr *account(const struct instruction *i, size_t at)
{
    return at < i->in->account_count ? &i->accounts->keys[i->in->accounts[at]] : NULL;
}

/* Little-endian; the bytes are there. */
static uint64_t number(const struct instruction *i, size_t at, size_t len)
{
    uint64_t v = 0;

    while (len-- > 0)
        v = v << 8 | i->in->data[at + len];
    return v;
}

static bool is_account(const struct instruction *i, size_t at, const struct solana_addr *want)
{
    const struct solana_addr *a = account(i, at);

    return a != NULL && solana_addr_eq(a, want);
}

static bool has(const struct instruction *i, size_t accounts, size_t data_len)
{
    return i->in->account_count == accounts && i->in->data_len == data_len;
}

/* ---- the programs of the network ---- */

static void compute_read(struct solana_step *out, const struct instruction *i)
{
    enum { LIMIT = 2, PRICE = 3, LOADED = 4, NARROW = 1 + 4, WIDE = 1 + 8 };
    uint64_t which = i->in->data_len > 0 ? i->in->data[0] : 0;

    if (which == LIMIT && has(i, 0, NARROW))
        out->act = SOLANA_COMPUTE_LIMIT;
    else if (which == PRICE && has(i, 0, WIDE))
        out->act = SOLANA_COMPUTE_PRICE;
    else if (which == LOADED && has(i, 0, NARROW))
        out->act = SOLANA_DATA_LIMIT;
    else
        return;
    out->amount = number(i, 1, i->in->data_len - 1);
}

static void memo_read(struct solana_step *out, const struct instruction *i)
{
    if (i->in->account_count == 0)
        out->act = SOLANA_NOTE;
}

static void system_read(struct solana_step *out, const struct instruction *i)
{
    enum { TRANSFER = 2 };

    if (!has(i, 2, 4 + 8) || number(i, 0, 4) != TRANSFER)
        return;
    out->act = SOLANA_PAY;
    out->owner = out->source = account(i, 0);
    out->destination = account(i, 1);
    out->amount = number(i, 4, 8);
}

static bool is_token_program(const struct solana_addr *program)
{
    return solana_addr_eq(program, &SOLANA_TOKEN) || solana_addr_eq(program, &SOLANA_TOKEN_2022);
}

/* Only in the form that does nothing where the account is there already. */
static void open_read(struct solana_step *out, const struct instruction *i)
{
    enum { IDEMPOTENT = 1 };

    if (!has(i, 6, 1) || i->in->data[0] != IDEMPOTENT || !is_account(i, 4, &SOLANA_SYSTEM) ||
        !is_token_program(account(i, 5)))
        return;
    out->act = SOLANA_OPEN;
    out->source = account(i, 0);
    out->destination = account(i, 1);
    out->owner = account(i, 2);
    out->buy = account(i, 3);
    out->token_program = account(i, 5);
}

/* In the form that names mint and decimals; with one owner, who signs. */
static void transfer_read(struct solana_step *out, const struct instruction *i)
{
    out->act = SOLANA_TRANSFER;
    out->source = account(i, 0);
    out->sell = account(i, 1);
    out->destination = account(i, 2);
    out->owner = account(i, 3);
    out->token_program = out->program;
    out->amount = number(i, 1, 8);
}

static void token_read(struct solana_step *out, const struct instruction *i)
{
    enum { CLOSE = 9, TRANSFER_CHECKED = 12, SYNC = 17 };

    if (has(i, 3, 1) && i->in->data[0] == CLOSE) {
        out->act = SOLANA_CLOSE;
        out->source = account(i, 0);
        out->destination = account(i, 1);
        out->owner = account(i, 2);
    } else if (has(i, 1, 1) && i->in->data[0] == SYNC) {
        out->act = SOLANA_SYNC;
        out->destination = account(i, 0);
    } else if (has(i, 4, 1 + 8 + 1) && i->in->data[0] == TRANSFER_CHECKED) {
        transfer_read(out, i);
    }
}

/* ---- Jupiter ---- */

enum { SELECTOR_LEN = 8, NOWHERE = 0xff };

/* A swap of an exact input. What is fixed in its data stands at the front, or behind the route, at the end.
 */
struct jupiter_row {
    uint8_t selector[SELECTOR_LEN];
    uint8_t numbers; /* where they are: bytes from the front; 0: at the end */
    uint8_t fee_len; /* of the platform's fee */
    uint8_t owner, source, destination, other_destination; /* places of accounts; NOWHERE: it has none */
    uint8_t sell, buy, sell_program, buy_program, program;
};

static const struct jupiter_row jupiter_rows[] = {
    /* route_v2 */
    { { 0xbb, 0x64, 0xfa, 0xcc, 0x31, 0xc4, 0xaf, 0x14 }, 8, 2, 0, 1, 2, 7, 3, 4, 5, 6, 9 },
    /* shared_accounts_route_v2 */
    { { 0xd1, 0x98, 0x53, 0x93, 0x7c, 0xfe, 0xd8, 0xe9 }, 9, 2, 1, 2, 5, NOWHERE, 6, 7, 8, 9, 11 },
    /* route */
    { { 0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a },
      0,
      1,
      1,
      2,
      3,
      4,
      NOWHERE,
      5,
      NOWHERE,
      NOWHERE,
      NOWHERE },
    /* shared_accounts_route */
    { { 0xc1, 0x20, 0x9b, 0x33, 0x41, 0xd6, 0x9c, 0x81 },
      0,
      1,
      2,
      3,
      6,
      NOWHERE,
      7,
      8,
      NOWHERE,
      NOWHERE,
      NOWHERE },
};

/* Behind the selector (and an id): input, quoted output, slippage and fee in basis points. */
enum { AMOUNTS_LEN = 8 + 8 + 2, BPS = 10000 };

static const struct jupiter_row *jupiter_row_of(const struct instruction *i)
{
    for (size_t n = 0; n < sizeof jupiter_rows / sizeof jupiter_rows[0]; n++)
        if (i->in->data_len >= SELECTOR_LEN + 1 + AMOUNTS_LEN + 2 &&
            memcmp(i->in->data, jupiter_rows[n].selector, SELECTOR_LEN) == 0)
            return &jupiter_rows[n];
    return NULL;
}

/* Rounded down, as the program rounds. */
static uint64_t share_less(uint64_t amount, uint64_t bps)
{
    return amount / BPS * (BPS - bps) + amount % BPS * (BPS - bps) / BPS;
}

/* The least that arrives: the program looks at what its fee has been taken off. */
static uint64_t jupiter_minimum(uint64_t quoted, uint64_t slippage, uint64_t fee)
{
    return slippage > BPS || fee > BPS ? 0 : share_less(share_less(quoted, slippage), fee);
}

/* An optional account for another owner's output has to be the program itself, which means none, or the
 * wallet's own again. */
static bool jupiter_pays_one(const struct instruction *i, const struct jupiter_row *row)
{
    const struct solana_addr *other =
        row->other_destination == NOWHERE ? NULL : account(i, row->other_destination);

    return other == NULL || solana_addr_eq(other, &SOLANA_JUPITER) || is_account(i, row->destination, other);
}

static const struct solana_addr *jupiter_account(const struct instruction *i, uint8_t place)
{
    return place == NOWHERE ? NULL : account(i, place);
}

static void jupiter_read(struct solana_step *out, const struct instruction *i)
{
    const struct jupiter_row *row = jupiter_row_of(i);
    size_t at;

    if (row == NULL || account(i, row->buy) == NULL || account(i, row->destination) == NULL ||
        (row->program != NOWHERE && !is_account(i, row->program, &SOLANA_JUPITER)) ||
        !jupiter_pays_one(i, row))
        return;
    at = row->numbers != 0 ? row->numbers : i->in->data_len - AMOUNTS_LEN - row->fee_len;
    out->act = SOLANA_SWAP;
    out->owner = account(i, row->owner);
    out->source = account(i, row->source);
    out->destination = account(i, row->destination);
    out->sell = jupiter_account(i, row->sell);
    out->buy = account(i, row->buy);
    out->token_program = jupiter_account(i, row->buy_program);
    out->sell_program = jupiter_account(i, row->sell_program);
    out->amount = number(i, at, 8);
    out->minimum = jupiter_minimum(number(i, at + 8, 8), number(i, at + 16, 2),
                                   number(i, at + AMOUNTS_LEN, row->fee_len));
}

/* ---- Relay ---- */

static const uint8_t deposit_coin[SELECTOR_LEN] = { 0x0d, 0x9e, 0x0d, 0xdf, 0x5f, 0xd5, 0x1c, 0x06 };
static const uint8_t deposit_token[SELECTOR_LEN] = { 0x0b, 0x9c, 0x60, 0xda, 0x27, 0xa3, 0xb4, 0x13 };

static bool is_deposit(const struct instruction *i, const uint8_t selector[static SELECTOR_LEN],
                       size_t accounts)
{
    return has(i, accounts, SELECTOR_LEN + 8 + HASH_LEN) && memcmp(i->in->data, selector, SELECTOR_LEN) == 0;
}

/* The payer has to be the one that is refunded. */
static void relay_read(struct solana_step *out, const struct instruction *i)
{
    bool coin = is_deposit(i, deposit_coin, 5) && is_account(i, 4, &SOLANA_SYSTEM);
    bool token = is_deposit(i, deposit_token, 10) && is_token_program(account(i, 7)) &&
                 is_account(i, 8, &SOLANA_ASSOCIATED_TOKEN) && is_account(i, 9, &SOLANA_SYSTEM);

    if ((!coin && !token) || !is_account(i, 2, account(i, 1)))
        return;
    out->act = SOLANA_DEPOSIT;
    out->owner = account(i, 1);
    out->source = coin ? out->owner : account(i, 5);
    out->destination = account(i, 3);
    out->sell = coin ? NULL : account(i, 4);
    out->token_program = coin ? NULL : account(i, 7);
    out->amount = number(i, SELECTOR_LEN, 8);
    out->order = i->in->data + SELECTOR_LEN + 8;
}

/* ---- all ---- */

static const struct {
    const struct solana_addr *program;
    void (*read)(struct solana_step *out, const struct instruction *i);
} programs[] = {
    { &SOLANA_COMPUTE_BUDGET, compute_read }, { &SOLANA_ASSOCIATED_TOKEN, open_read },
    { &SOLANA_SYSTEM, system_read },          { &SOLANA_TOKEN, token_read },
    { &SOLANA_TOKEN_2022, token_read },       { &SOLANA_MEMO, memo_read },
    { &SOLANA_JUPITER, jupiter_read },        { &SOLANA_RELAY_DEPOSITORY, relay_read },
};

void solana_step_read(struct solana_step *out, const struct solana_instruction *in,
                      const struct solana_accounts *accounts)
{
    const struct instruction i = { in, accounts };

    *out = (struct solana_step){ .act = SOLANA_OTHER, .program = &accounts->keys[in->program] };
    for (size_t n = 0; n < sizeof programs / sizeof programs[0]; n++)
        if (solana_addr_eq(out->program, programs[n].program))
            programs[n].read(out, &i);
}
