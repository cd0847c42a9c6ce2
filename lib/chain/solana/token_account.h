/* Accounts that hold a token, of either token program: mint, owner, amount and who else may take from it. */
#ifndef CHAIN_SOLANA_TOKEN_ACCOUNT_H
#define CHAIN_SOLANA_TOKEN_ACCOUNT_H

#include "chain/solana/solana_addr.h"

#include <stddef.h>

enum {
    SOLANA_TOKEN_ACCOUNT_LEN = 165, /* extensions stand behind it */
    SOLANA_TOKEN_HEAD = 356,        /* bytes of an account or a mint that tell what it is */
};

struct solana_token_state {
    struct solana_addr mint, owner;
    uint64_t amount;
    bool frozen;
    bool delegated;              /* another account may take some of it ... */
    struct solana_addr delegate; /* ... which; zero: none */
    uint64_t delegated_amount;
    bool closable; /* another account may close it */
    struct solana_addr closer;
};

/* False unless the account belongs to a token program, and is a token account that is in use: by all of its
 * bytes, or the head of more. */
bool solana_token_state_read(struct solana_token_state *out, const struct solana_addr *program,
                             const uint8_t *data, size_t n);

/* The decimals of a mint, by all of its bytes, or the head of more; -1: it is none. */
int solana_mint_decimals(const struct solana_addr *program, const uint8_t *data, size_t n);

#endif
