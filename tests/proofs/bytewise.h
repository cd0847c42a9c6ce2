/* memcpy and memmove byte by byte, for few bytes of which the number is not known: CBMC's own take whole
 * objects at once, and the solver then much longer. Included first. */
#ifndef TESTS_PROOFS_BYTEWISE_H
#define TESTS_PROOFS_BYTEWISE_H

#include <stdint.h>
#include <string.h>

static inline void *copy_bytes(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

/* `to` may lie behind `from` within it, or before it. */
static inline void *move_bytes(void *to, const void *from, size_t n)
{
    if ((const char *)to <= (const char *)from)
        return copy_bytes(to, from, n);
    while (n-- > 0)
        ((uint8_t *)to)[n] = ((const uint8_t *)from)[n];
    return to;
}

#define memcpy  copy_bytes
#define memmove move_bytes

#endif
