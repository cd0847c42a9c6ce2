/* The members of an action, written one after another: by the same call into the JSON that is sent and into
 * what is signed of it, so that the two cannot differ. That is MessagePack for what an account trades, and a
 * struct of typed data (EIP-712) for what its owner decides. */
#ifndef VENUE_HYPERLIQUID_FIELDS_H
#define VENUE_HYPERLIQUID_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/evm_addr.h"

/* Each buffer may be NULL: then that is not written. */
struct fields {
    struct buf *json;
    struct buf *packed; /* MessagePack */
    struct buf *types;  /* "string amount,uint64 nonce" */
    struct buf *words;  /* of the struct, without its type's */
    bool comma;         /* something stands before the next member */
};

/* `key` is NULL for the items of a list, and for the whole. Counts are those of the members or items that
 * follow. Maps and lists are none of a struct's members. */
void fields_map(struct fields *f, const char *key, uint32_t members);
void fields_map_end(struct fields *f);
void fields_list(struct fields *f, const char *key, uint32_t items);
void fields_list_end(struct fields *f);

/* Texts are ASCII that JSON does not escape. */
void fields_text(struct fields *f, const char *key, const char *text);
void fields_u64(struct fields *f, const char *key, uint64_t v);
void fields_u32(struct fields *f, const char *key, uint32_t v);
void fields_bool(struct fields *f, const char *key, bool v);
/* Adds a decimal of 10^-8. */
void fields_decimal(struct fields *f, const char *key, uint64_t v);
/* In lower case; a text where `is_text`, as the venue has some of them. */
void fields_addr(struct fields *f, const char *key, struct evm_addr a, bool is_text);
/* "0x" and nothing behind it. */
void fields_no_bytes(struct fields *f, const char *key);

/* "0x" and digits in lower case. */
void fields_hex(struct fields *f, const char *key, const uint8_t *p, size_t n);

#endif
