/* Base64 of RFC 4648: the standard alphabet with padding, and the URL alphabet without. */
#ifndef CODEC_BASE64_H
#define CODEC_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE64_LEN(n) (((n) + 2) / 3 * 4)

/* Writes BASE64_LEN(n) characters and a NUL. */
void base64_encode(char *out, const uint8_t *in, size_t n);
/* Writes without padding; out needs BASE64_LEN(n) + 1 bytes. */
void base64url_encode(char *out, const uint8_t *in, size_t n);
/* Strict: padding required, no white space, unused bits zero. */
bool base64_decode(uint8_t *out, size_t max, size_t *n, const char *text, size_t text_len);

#endif
