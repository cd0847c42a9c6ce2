#include "venue/wrapped_sol.h"

#include "chain/solana/derived.h"
#include "chain/solana/solana_calls.h"
#include "chain/solana/solana_programs.h"

/* Several times what it takes, as opening an account takes now more and now less. */
enum { UNITS = 150000, UNIT_PRICE = 100000 /* millionths of a lamport */, DECIMALS = 9 };

const struct contract wrapped_sol_program = { "solana", "wrap", NULL,
                                              "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" };

static struct solana_addr account_of(const struct solana_addr *wallet)
{
    struct solana_addr a = { { 0 } };

    (void)solana_token_account(&a, wallet, &SOLANA_TOKEN, &SOLANA_WRAPPED_COIN);
    return a;
}

static void add_wrapping(struct solana_calls *c, const struct solana_addr *wallet, uint64_t amount)
{
    const struct solana_addr account = account_of(wallet);

    solana_add_opening(c, wallet, wallet, &SOLANA_TOKEN, &SOLANA_WRAPPED_COIN);
    solana_add_payment(c, wallet, &account, amount);
    solana_add_sync(c, &account);
}

/* The transaction always fits: its accounts are few. */
static void write_all(struct buf *out, const struct solana_addr *wallet, const struct solana_calls *c,
                      const uint8_t *blockhash)
{
    (void)solana_tx_write(out, wallet, c->list, c->count, blockhash);
}

void wrapped_sol_wrap(struct buf *out, const struct solana_addr *wallet, uint64_t amount,
                      const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN])
{
    struct solana_calls c = { .count = 0 };

    solana_add_budget(&c, UNITS, UNIT_PRICE);
    add_wrapping(&c, wallet, amount);
    write_all(out, wallet, &c, blockhash);
}

/* A transfer into the account that it comes from moves nothing, but fails when so much is not there. */
void wrapped_sol_unwrap(struct buf *out, const struct solana_addr *wallet, uint64_t amount, uint64_t rest,
                        const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN])
{
    const struct solana_addr account = account_of(wallet);
    const struct solana_token_move shown = { .program = SOLANA_TOKEN,
                                             .mint = SOLANA_WRAPPED_COIN,
                                             .owner = *wallet,
                                             .from = account,
                                             .to = account,
                                             .decimals = DECIMALS,
                                             .amount = amount + rest };
    struct solana_calls c = { .count = 0 };

    solana_add_budget(&c, UNITS, UNIT_PRICE);
    solana_add_transfer(&c, &shown);
    solana_add_closing(&c, &SOLANA_TOKEN, &account, wallet, wallet);
    if (rest > 0)
        add_wrapping(&c, wallet, rest);
    write_all(out, wallet, &c, blockhash);
}
