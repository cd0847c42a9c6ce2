/* The arguments of a call, read by their types as a Solidity signature writes them: "(address,bytes)[],bool".
 * They are read whole: every word is one value's or one offset's, offsets lie inside and are multiples of a
 * word, no value has dirty bytes, texts of bytes are padded with zeros, and nothing is left over. What an
 * encoder may choose is the order of the parts alone. */
#ifndef CHAIN_EVM_ABI_FORM_H
#define CHAIN_EVM_ABI_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ABI_LEAVES_MAX = 32 };

/* A value of an elementary type, `bytes` included; or the values of such a type in an array. */
struct abi_leaf {
    uint64_t count; /* how many there are of it: 1 outside of arrays */
    /* The word of the first and of the last one; of `bytes` what they consist of. NULL: there is none. */
    const uint8_t *first, *last;
    size_t first_len, last_len; /* of `bytes`; of others a word */
};

/* In the order of the signature: "address,(bytes,uint8)[]" has three. */
struct abi_leaves {
    struct abi_leaf leaf[ABI_LEAVES_MAX];
    unsigned count;
};

/* Types are address, bool, bytes, string, bytesN, uintN, tuples in parentheses, and one-dimensional arrays of
 * these. False when the n bytes are no arguments of these types. */
bool abi_read_form(struct abi_leaves *out, const char *form, const uint8_t *args, size_t n);

#endif
