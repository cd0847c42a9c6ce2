/* Address lookup tables: accounts of the chain that hold addresses, which transactions refer to by place. */
#ifndef CHAIN_SOLANA_LOOKUP_TABLE_H
#define CHAIN_SOLANA_LOOKUP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chain/solana/solana_message.h"

enum { SOLANA_TABLE_MAX = 256 };

struct solana_table {
    struct solana_addr key;
    const struct solana_addr *addresses;
    size_t count;
};

/* Reads the contents of the account `key`; the addresses lead into them. False unless it is a table, and is
 * not being closed. Whose account it is, the caller has to know. */
bool solana_table_read(struct solana_table *out, const struct solana_addr *key, const uint8_t *data,
                       size_t n);

/* All accounts of a transaction, by place. */
struct solana_accounts {
    struct solana_addr keys[SOLANA_ACCOUNTS_MAX];
    unsigned count;
    unsigned own; /* the first of them are the message's own keys */
};

/* Resolves the accounts by the caller's looked-up addresses, in the order of places; they are not verified.
 * False when their number differs. */
bool solana_accounts_given(struct solana_accounts *out, const struct solana_tx *tx, const uint8_t *p,
                           size_t n);
/* False when a table is missing among these, or has not as many addresses. */
bool solana_accounts_of(struct solana_accounts *out, const struct solana_tx *tx,
                        const struct solana_table *tables, size_t n);

#endif
