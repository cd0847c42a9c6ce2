/* Arguments of a call, read whole by their types: every tail where Solidity's own encoder puts it, no dirty
 * bytes, nothing left over. Members are counted as the types are written: a word and a `bytes` are one each,
 * an array is one, followed by those of its elements. */
#ifndef VENUE_FORM_H
#define VENUE_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORM_MEMBERS = 32 };

struct form {
    const uint8_t *data;
    size_t len;
    size_t next; /* where the next tail has to begin */
    /* The place of each member: the word itself, or the word with the length. In an array: those of its first
     * and of its last element; NULL where it has none. */
    const uint8_t *first[FORM_MEMBERS], *last[FORM_MEMBERS];
};

/* `types` as in a signature, "(address,(uint256,bytes)[],bytes)": words, bytes, string, structs, and arrays
 * of any length. False when the bytes are not so encoded. */
bool form_read(struct form *out, const char *types, const uint8_t *data, size_t len);

/* The length of an array or a `bytes`, and what it holds. */
size_t form_length(const uint8_t *member);
const uint8_t *form_content(const uint8_t *member);

#endif
