/* Base58 as Bitcoin and Solana write it: no check digits, a leading zero byte is a leading '1'. Its cost
 * grows with the square of the length, so it is for keys and signatures, not for data. */
#ifndef CODEC_BASE58_H
#define CODEC_BASE58_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most digits that n bytes need; log 256 / log 58 is slightly below 1.366. */
#define BASE58_LEN(n) ((n)*1366 / 1000 + 1)

/* Writes at most BASE58_LEN(n) digits and a NUL. */
void base58_encode(char *out, const uint8_t *in, size_t n);
/* At most max bytes; the count goes to *n. False for another character, or more bytes. */
bool base58_decode(uint8_t *out, size_t max, size_t *n, const char *text);

#endif
