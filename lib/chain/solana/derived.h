/* Addresses that programs own: derived from the program and seeds, and no public keys. */
#ifndef CHAIN_SOLANA_DERIVED_H
#define CHAIN_SOLANA_DERIVED_H

#include <stdbool.h>
#include <stddef.h>

#include "chain/solana/solana_addr.h"

struct solana_seed {
    const void *p;
    size_t n; /* at most 32 */
};

/* With the highest bump that gives no public key. False: there is none. */
bool solana_derived(struct solana_addr *out, const struct solana_addr *program,
                    const struct solana_seed *seeds, size_t n);

/* The owner's associated account for the mint, of the program that keeps the token. */
bool solana_token_account(struct solana_addr *out, const struct solana_addr *owner,
                          const struct solana_addr *token_program, const struct solana_addr *mint);

#endif
