/* Contract calls: the part of Solidity's ABI that the gateway uses. Encoding appends 32-byte words to a
 * buffer; decoding reads words by index from a return value and never past its end. */
#ifndef CHAIN_EVM_ABI_H
#define CHAIN_EVM_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"

enum { ABI_WORD = 32, ABI_SELECTOR = 4 };

void abi_selector(struct buf *out, uint32_t selector);
void abi_u256(struct buf *out, struct u256 v);
void abi_u64(struct buf *out, uint64_t v);
void abi_addr(struct buf *out, struct evm_addr a);
/* The tail of a dynamic `bytes`: length word, the bytes, zeros up to a word. Offsets are the caller's words.
 */
void abi_bytes_tail(struct buf *out, const void *p, size_t n);

uint32_t abi_get_selector(const uint8_t p[static ABI_SELECTOR]);
/* Word `index` of a return value. */
bool abi_get_u256(struct u256 *out, const uint8_t *data, size_t n, size_t index);
bool abi_get_u64(uint64_t *out, const uint8_t *data, size_t n, size_t index); /* false when it does not fit */
bool abi_get_addr(struct evm_addr *out, const uint8_t *data, size_t n, size_t index);
/* A dynamic `bytes` or `string` whose offset, counted from byte `base` of data, stands at byte `at`. */
bool abi_get_bytes(const uint8_t **p, size_t *len, const uint8_t *data, size_t n, size_t base, size_t at);

/* The text of a revert: Error(string), "Panic(0x11)", or NULL when the data is neither. Control bytes are
 * replaced; at most 200 bytes. */
char *abi_revert_text(struct arena *a, const uint8_t *data, size_t n);

/* keccak-256 of a canonical signature such as "transfer(address,uint256)", first four bytes. */
uint32_t abi_selector_of(const char *signature);

#endif
