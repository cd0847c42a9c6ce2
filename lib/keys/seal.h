/* A wallet's private key at rest: XChaCha20-Poly1305 under a data key of the keyring. The associated data
 * binds it to its wallet, agent, chain type and address, so that rows cannot be exchanged. */
#ifndef KEYS_SEAL_H
#define KEYS_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "keys/keyring.h"
#include "keys/secret.h"
#include "model/wallet_ref.h"

/* Layout: version 1, data key id (4 bytes, big-endian), nonce 24, sealed key 32, tag 16. */
bool seal_key(uint8_t out[static SEALED_LEN], const struct keyring *k, const struct wallet_ref *w,
              const struct secret *key);
/* NULL when anything differs from what was sealed. */
struct secret *seal_open(const uint8_t sealed[static SEALED_LEN], const struct keyring *k,
                         const struct wallet_ref *w);

#endif
