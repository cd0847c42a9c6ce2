/* Recursive Length Prefix, the yellow paper's appendix B. Decoding is strict: only the canonical form. */
#ifndef CHAIN_EVM_RLP_H
#define CHAIN_EVM_RLP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "codec/u256.h"

void rlp_add_bytes(struct buf *out, const void *p, size_t n);
void rlp_add_u64(struct buf *out, uint64_t v); /* integers: minimal big-endian, zero is the empty string */
void rlp_add_u256(struct buf *out, struct u256 v);
/* Wraps what `items` holds (already encoded) into a list. */
void rlp_add_list(struct buf *out, const struct buf *items);

/* A reader over one run of encoded items; it points into the caller's bytes. */
struct rlp {
    const uint8_t *p;
    const uint8_t *end;
};

struct rlp rlp_reader(const void *p, size_t n);
bool rlp_at_end(const struct rlp *r);
/* Each reads the next item; false when it is of another kind, not canonical, or runs past the end. */
bool rlp_bytes(struct rlp *r, const uint8_t **p, size_t *n);
bool rlp_u64(struct rlp *r, uint64_t *v);
bool rlp_u256(struct rlp *r, struct u256 *v);
bool rlp_list(struct rlp *r, struct rlp *items);

#endif
