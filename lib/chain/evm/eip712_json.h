/* Typed structured data, EIP-712: from its JSON form {types, primaryType, domain, message} to the digest that
 * is signed. All of the standard's types: atomic, bytes and string, arrays fixed and dynamic, structs. The
 * types are validated, including cycles and depth; what cannot be encoded exactly is refused. */
#ifndef CHAIN_EVM_EIP712_JSON_H
#define CHAIN_EVM_EIP712_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"

/* "EIP712Domain" is derived from the members of `domain` when `types` does not declare it. */
bool eip712_digest(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data);

/* The parts, for tests and for callers with a fixed domain. */
bool eip712_domain_separator(uint8_t out[static HASH_LEN], struct arena *a, const json_t *typed_data);
bool eip712_struct_hash(uint8_t out[static HASH_LEN], struct arena *a, const json_t *types, const char *type,
                        const json_t *value);
/* "Mail(Person from,…)Person(…)", NULL when the types are invalid. */
char *eip712_encode_type(struct arena *a, const json_t *types, const char *type);

#endif
