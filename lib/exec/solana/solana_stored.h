/* Solana's tokens, accounts and transactions as they are stored, and as they are shown. */
#ifndef EXEC_SOLANA_SOLANA_STORED_H
#define EXEC_SOLANA_SOLANA_STORED_H

#include "base/arena.h"
#include "model/execution.h"

/* As exec/chain_ops.h says: a public key's bytes, and of a transaction its first signature, shown in Base58.
 */
void solana_address_bytes(struct address_bytes *out, const char *text);
char *solana_hash_text(struct arena *a, const struct tx_hash *hash);
bool solana_hash_read(struct tx_hash *out, const char *text);

#endif
