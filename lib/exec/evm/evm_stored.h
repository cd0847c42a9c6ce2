/* Hashes and addresses of EVM chains as they are stored, and as texts. */
#ifndef EXEC_EVM_EVM_STORED_H
#define EXEC_EVM_EVM_STORED_H

#include "base/arena.h"
#include "model/execution.h"

/* As exec/chain_ops.h says. A text that is no address becomes the zero address. */
void evm_address_bytes(struct address_bytes *out, const char *text);
char *evm_hash_text(struct arena *a, const struct tx_hash *hash);
bool evm_hash_read(struct tx_hash *out, const char *text);

/* The text of stored bytes, in the arena. */
char *evm_address_text(struct arena *a, const struct address_bytes *at);
void evm_hash_set(struct tx_hash *out, const uint8_t *raw, size_t len); /* of a signed transaction */

#endif
