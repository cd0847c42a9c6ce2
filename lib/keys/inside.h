/* Private to lib/keys. */
#ifndef KEYS_INSIDE_H
#define KEYS_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/keyring.h"
#include "keys/secret.h"

struct secret {
    uint8_t bytes[SECRET_LEN];
};

/* Zeroed; NULL: out of memory. */
struct secret *secret_new(void);

/* A secret under another: random nonce 24, sealed key 32, tag 16. XChaCha20-Poly1305. */
enum { WRAP_NONCE = 24, WRAP_LEN = WRAP_NONCE + SECRET_LEN + 16 };

bool secret_wrap(uint8_t out[static WRAP_LEN], const struct secret *plain, const struct secret *under,
                 const uint8_t *bound, size_t bound_len);
/* NULL when the bytes, the key or what they are bound to differ. */
struct secret *secret_unwrap(const uint8_t in[static WRAP_LEN], const struct secret *under,
                             const uint8_t *bound, size_t bound_len);

struct data_key {
    uint32_t id;
    struct secret *key;
};

const struct data_key *keyring_newest(const struct keyring *k);
const struct data_key *keyring_find(const struct keyring *k, uint32_t id); /* NULL: no such key */

void put_be32(uint8_t out[static 4], uint32_t v);
uint32_t get_be32(const uint8_t in[static 4]);

/* Writes the reason and returns false, so that callers can return it. */
bool why_not(char *why, size_t why_len, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
