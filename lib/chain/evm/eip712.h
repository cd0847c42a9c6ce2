/* Typed structured data, EIP-712, of structs that are known beforehand: from their words to the digest that
 * is signed. chain/evm/eip712_json.h reads any struct. */
#ifndef CHAIN_EVM_EIP712_H
#define CHAIN_EVM_EIP712_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/hash.h"

/* A struct is its words one after another: the hash of its type, then its members, those of one word by
 * abi_u256 and its like. */
void eip712_text(struct buf *words, const char *text);                   /* a string; the type too */
void eip712_bytes(struct buf *words, const void *p, size_t n);           /* `bytes`, or an array's words */
void eip712_words_hash(uint8_t out[static HASH_LEN], struct buf *words); /* of the struct; frees the words */

/* The domain with these members; `contract` may be NULL. */
void eip712_separator(uint8_t out[static HASH_LEN], const char *name, const char *version, uint64_t chain_id,
                      const struct evm_addr *contract);
/* The digest of a struct under a domain. */
void eip712_seal(uint8_t out[static HASH_LEN], const uint8_t separator[static HASH_LEN],
                 const uint8_t struct_hash[static HASH_LEN]);

#endif
