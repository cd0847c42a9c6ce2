/* Hashes and message authentication. Keccak-256 is Ethereum's (original padding, not SHA-3's). */
#ifndef CODEC_HASH_H
#define CODEC_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_LEN = 32 };

void keccak256(uint8_t out[static HASH_LEN], const void *data, size_t n);
void sha256(uint8_t out[static HASH_LEN], const void *data, size_t n);
/* In a time that says nothing about where they differ. */
bool hash_equal(const uint8_t x[static HASH_LEN], const uint8_t y[static HASH_LEN]);
void hmac_sha256(uint8_t out[static HASH_LEN], const void *key, size_t key_len, const void *data, size_t n);

#endif
