/* Hexadecimal text. Writing is lower case; reading takes both cases. */
#ifndef CODEC_HEX_H
#define CODEC_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes 2n digits and a NUL. */
void hex_encode(char *out, const uint8_t *in, size_t n);
/* Exactly n bytes from exactly 2n digits, no prefix. */
bool hex_decode(uint8_t *out, size_t n, const char *text, size_t text_len);
/* "0x" and an even number of digits; at most max bytes; the count goes to *n. */
bool hex_decode_0x(uint8_t *out, size_t max, size_t *n, const char *text);

#endif
