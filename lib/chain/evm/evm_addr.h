/* Ethereum addresses: 20 bytes, shown with the EIP-55 checksum. */
#ifndef CHAIN_EVM_EVM_ADDR_H
#define CHAIN_EVM_EVM_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"

enum { EVM_ADDR_LEN = 20, EVM_ADDR_TEXT_LEN = 42, EVM_PUBKEY_LEN = 65 };

#define EVM_ADDR_ZERO "0x0000000000000000000000000000000000000000"

struct evm_addr {
    uint8_t bytes[EVM_ADDR_LEN];
};

/* "0x" and 40 digits. All lower or all upper case is accepted; mixed case must carry a valid checksum. */
bool evm_addr_parse(struct evm_addr *out, const char *text);
/* The same in any case, for text of our own: a checksum is a hash to compute. */
bool evm_addr_read(struct evm_addr *out, const char *text);
/* The zero address for NULL, and for a text that is no address. */
struct evm_addr evm_addr_or_zero(const char *text);
void evm_addr_text(char out[static EVM_ADDR_TEXT_LEN + 1], struct evm_addr a);
char *evm_addr_print(struct arena *arena, struct evm_addr a); /* the same in the arena */
bool evm_addr_eq(struct evm_addr a, struct evm_addr b);
bool evm_addr_is_zero(struct evm_addr a); /* the zero address stands for the chain's native coin */
/* The address of an uncompressed public key (0x04 and 64 bytes): the last 20 bytes of its Keccak-256. */
struct evm_addr evm_addr_of_pubkey(const uint8_t pubkey[static EVM_PUBKEY_LEN]);
/* The address of a contract by CREATE2 of `maker`, EIP-1014. */
struct evm_addr evm_addr_create2(struct evm_addr maker, const uint8_t salt[static HASH_LEN],
                                 const uint8_t init_code_hash[static HASH_LEN]);

#endif
