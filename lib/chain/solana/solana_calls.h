/* Instructions of our own making, one after another, as solana_tx_write takes them. */
#ifndef CHAIN_SOLANA_SOLANA_CALLS_H
#define CHAIN_SOLANA_SOLANA_CALLS_H

#include "chain/solana/solana_message.h"

enum { SOLANA_CALLS_MAX = 24, SOLANA_CALL_ACCOUNTS_MAX = 6, SOLANA_CALL_BYTES_MAX = 12 };

/* The calls lead into the rest: it must not be moved. At most SOLANA_CALLS_MAX are added. */
struct solana_calls {
    struct solana_call list[SOLANA_CALLS_MAX];
    size_t count;
    struct solana_account accounts[SOLANA_CALLS_MAX][SOLANA_CALL_ACCOUNTS_MAX];
    uint8_t data[SOLANA_CALLS_MAX][SOLANA_CALL_BYTES_MAX];
};

/* Two calls: how many units it may take, and what each pays for coming first, in millionths of a lamport. */
void solana_add_budget(struct solana_calls *c, uint64_t units, uint64_t price);
void solana_add_payment(struct solana_calls *c, const struct solana_addr *from, const struct solana_addr *to,
                        uint64_t lamports);
/* `owner`'s associated account for the mint, of the program that keeps it, unless it is there. */
void solana_add_opening(struct solana_calls *c, const struct solana_addr *payer,
                        const struct solana_addr *owner, const struct solana_addr *program,
                        const struct solana_addr *mint);

/* A transfer of a token out of an account of `owner`, into another account. */
struct solana_token_move {
    struct solana_addr program, mint, owner, from, to;
    uint8_t decimals;
    uint64_t amount;
};

void solana_add_transfer(struct solana_calls *c, const struct solana_token_move *m);
/* Counts the coin that an account of the wrapped coin was given. */
void solana_add_sync(struct solana_calls *c, const struct solana_addr *account);
/* The coin that is in a token account of `owner` goes to `to`. It fails unless the account is empty, or one
 * of the wrapped coin. */
void solana_add_closing(struct solana_calls *c, const struct solana_addr *program,
                        const struct solana_addr *account, const struct solana_addr *owner,
                        const struct solana_addr *to);

#endif
