/* Ed25519 of RFC 8032. The secret is the 32-byte seed, from which key pair and nonces come. */
#ifndef KEYS_ED25519_H
#define KEYS_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/secret.h"

enum { ED25519_PUBKEY_LEN = 32, ED25519_SIG_LEN = 64 };

/* False without memory for the key pair. */
bool ed25519_pubkey(uint8_t pubkey[static ED25519_PUBKEY_LEN], const struct secret *seed);
bool ed25519_sign(uint8_t sig[static ED25519_SIG_LEN], const uint8_t *message, size_t n,
                  const struct secret *seed);

#endif
