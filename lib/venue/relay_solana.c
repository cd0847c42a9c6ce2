#include "venue/relay_solana.h"

#include <string.h>

#include "chain/solana/derived.h"
#include "chain/solana/solana_calls.h"
#include "chain/solana/solana_programs.h"

/* Several times what it takes, as the depository may have to open its own account for the token. */
enum { UNITS = 150000, UNIT_PRICE = 100000 /* millionths of a lamport */, ACCOUNTS_MAX = 10 };

/* ---- as it is handed over ---- */

void relay_solana_take(struct relay_solana_deposit *out, const struct solana_step *s)
{
    *out = (struct relay_solana_deposit){ .wallet = *s->owner, .coin = s->sell == NULL, .amount = s->amount };
    if (s->sell != NULL) {
        out->mint = *s->sell;
        out->token_program = *s->token_program;
    }
    memcpy(out->order, s->order, sizeof out->order);
}

static bool only_bounds(const struct solana_step *s)
{
    return s->act == SOLANA_COMPUTE_LIMIT || s->act == SOLANA_COMPUTE_PRICE || s->act == SOLANA_DATA_LIMIT;
}

static bool read_steps(struct relay_solana_deposit *out, const struct solana_tx *tx)
{
    struct solana_accounts accounts;
    struct solana_step s;
    unsigned deposits = 0;

    if (!solana_accounts_given(&accounts, tx, NULL, 0))
        return false;
    for (unsigned i = 0; i < tx->instruction_count; i++) {
        solana_step_read(&s, &tx->instructions[i], &accounts);
        if (s.act == SOLANA_DEPOSIT) {
            relay_solana_take(out, &s);
            deposits++;
        } else if (!only_bounds(&s)) {
            return false;
        }
    }
    return deposits == 1 && solana_addr_eq(&out->wallet, &tx->keys[0]);
}

bool relay_solana_read(struct relay_solana_deposit *out, const struct solana_addr *wallet,
                       const struct solana_call *calls, size_t n)
{
    static const uint8_t no_blockhash[SOLANA_BLOCKHASH_LEN];
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx tx;
    bool read = solana_tx_write(&b, wallet, calls, n, no_blockhash) &&
                solana_tx_read(&tx, (const uint8_t *)b.data, b.len) == NULL && read_steps(out, &tx);

    buf_free(&b);
    return read;
}

/* ---- as it is made ---- */

/* The depository's accounts for deposits, and for its own settings. */
static bool depository_account(struct solana_addr *out, const char *name)
{
    const struct solana_seed seed = { name, strlen(name) };

    return solana_derived(out, &SOLANA_RELAY_DEPOSITORY, &seed, 1);
}

/* Its accounts in their order; how many. */
static size_t accounts_of_coin(struct solana_account *out, const struct relay_solana_deposit *d,
                               const struct solana_addr *settings, const struct solana_addr *vault)
{
    const struct solana_account list[] = { { *settings, false, false },
                                           { d->wallet, true, true },
                                           { d->wallet, false, false },
                                           { *vault, false, true },
                                           { SOLANA_SYSTEM, false, false } };

    memcpy(out, list, sizeof list);
    return sizeof list / sizeof list[0];
}

/* None: there cannot be such a token. */
static size_t accounts_of_token(struct solana_account *out, const struct relay_solana_deposit *d,
                                const struct solana_addr *settings, const struct solana_addr *vault)
{
    struct solana_addr from, into;

    if (!solana_token_account(&from, &d->wallet, &d->token_program, &d->mint) ||
        !solana_token_account(&into, vault, &d->token_program, &d->mint))
        return 0;

    const struct solana_account list[ACCOUNTS_MAX] = { { *settings, false, false },
                                                       { d->wallet, true, true },
                                                       { d->wallet, false, false },
                                                       { *vault, false, false },
                                                       { d->mint, false, false },
                                                       { from, false, true },
                                                       { into, false, true },
                                                       { d->token_program, false, false },
                                                       { SOLANA_ASSOCIATED_TOKEN, false, false },
                                                       { SOLANA_SYSTEM, false, false } };

    memcpy(out, list, sizeof list);
    return ACCOUNTS_MAX;
}

static void data_of(struct buf *out, const struct relay_solana_deposit *d)
{
    static const uint8_t deposit_coin[] = { 0x0d, 0x9e, 0x0d, 0xdf, 0x5f, 0xd5, 0x1c, 0x06 },
                         deposit_token[] = { 0x0b, 0x9c, 0x60, 0xda, 0x27, 0xa3, 0xb4, 0x13 };

    buf_add(out, d->coin ? deposit_coin : deposit_token, sizeof deposit_coin);
    for (size_t i = 0; i < sizeof d->amount; i++)
        buf_addc(out, (uint8_t)(d->amount >> 8 * i));
    buf_add(out, d->order, sizeof d->order);
}

bool relay_solana_write(struct buf *out, const struct relay_solana_deposit *d,
                        const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN])
{
    struct solana_call *call;
    struct solana_account accounts[ACCOUNTS_MAX];
    struct solana_calls calls = { .count = 0 };
    struct solana_addr settings, vault;
    struct buf data = BUF_INIT(64);
    bool made = depository_account(&settings, "relay_depository") && depository_account(&vault, "vault");

    solana_add_budget(&calls, UNITS, UNIT_PRICE);
    call = &calls.list[calls.count++];
    *call = (struct solana_call){ .program = SOLANA_RELAY_DEPOSITORY, .accounts = accounts };
    if (made)
        call->account_count =
            (d->coin ? accounts_of_coin : accounts_of_token)(accounts, d, &settings, &vault);
    data_of(&data, d);
    call->data = (const uint8_t *)data.data;
    call->data_len = data.len;
    made = call->account_count > 0 && solana_tx_write(out, &d->wallet, calls.list, calls.count, blockhash);
    buf_free(&data);
    return made;
}

bool relay_solana_is(const struct solana_tx *tx, const struct relay_solana_deposit *d)
{
    struct buf b = BUF_INIT(SOLANA_TX_MAX);
    struct solana_tx own;
    bool same = relay_solana_write(&b, d, tx->blockhash) &&
                solana_tx_read(&own, (const uint8_t *)b.data, b.len) == NULL &&
                own.message_len == tx->message_len && memcmp(own.message, tx->message, own.message_len) == 0;

    buf_free(&b);
    return same;
}
