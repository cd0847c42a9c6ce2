/* Typed structured data, EIP-712: from its words, or from its JSON form, to the digest that is signed. */
#ifndef CHAIN_EVM_EIP712_H
#define CHAIN_EVM_EIP712_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/addr.h"
#include "codec/hash.h"

/* ---- structs that are known beforehand ---- */

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

/* ---- JSON: {types, primaryType, domain, message} ----
 *
 * All of the standard's types: atomic, bytes and string, arrays fixed and dynamic, structs. The types are
 * validated, including cycles and depth; what cannot be encoded exactly is refused. */

/* "EIP712Domain" is derived from the members of `domain` when `types` does not declare it. */
bool eip712_digest(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data);

/* The parts, for tests and for callers with a fixed domain. */
bool eip712_domain_separator(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data);
bool eip712_struct_hash(uint8_t out[static HASH_LEN], struct arena *a, const json_t *types, const char *type,
                        const json_t *value);
/* "Mail(Person from,…)Person(…)", NULL when the types are invalid. */
char *eip712_encode_type(struct arena *a, const json_t *types, const char *type);

#endif
