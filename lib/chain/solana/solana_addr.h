/* Solana addresses: 32 bytes, shown in Base58. There is no checksum, so a mistyped address may be valid. A
 * wallet's address is its Ed25519 public key; addresses derived from programs are not keys. */
#ifndef CHAIN_SOLANA_SOLANA_ADDR_H
#define CHAIN_SOLANA_SOLANA_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/base58.h"

enum { SOLANA_ADDR_LEN = 32, SOLANA_ADDR_TEXT_LEN = BASE58_LEN(SOLANA_ADDR_LEN) };

struct solana_addr {
    uint8_t bytes[SOLANA_ADDR_LEN];
};

bool solana_addr_parse(struct solana_addr *out, const char *text);
bool solana_addr_eq(const struct solana_addr *a, const struct solana_addr *b);
void solana_addr_text(char out[static SOLANA_ADDR_TEXT_LEN + 1], const struct solana_addr *a);

#endif
