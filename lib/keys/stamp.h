/* The proof that the signer has made some bytes: a MAC under a data key of the keyring. Every host that has
 * the keys knows it again, and rotating the master key changes nothing. The purpose keeps stamps for one
 * thing from passing for another, and all of them from the seals of wallets. */
#ifndef KEYS_STAMP_H
#define KEYS_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/hash.h"
#include "keys/keyring.h"

/* Layout: data key id (4 bytes, big-endian), HMAC-SHA-256. */
enum { STAMP_LEN = 4 + HASH_LEN };

void stamp_make(uint8_t out[static STAMP_LEN], const struct keyring *k, const char *purpose,
                const void *bytes, size_t n);
bool stamp_verify(const uint8_t stamp[static STAMP_LEN], const struct keyring *k, const char *purpose,
                  const void *bytes, size_t n);

#endif
