/* Signatures and key pairs. The only file that calls libsecp256k1. */
#ifndef KEYS_SIGN_H
#define KEYS_SIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "keys/secret.h"

bool sign_init(void); /* makes and randomises the context; once per process */

/* Recoverable ECDSA over secp256k1, RFC 6979 nonce, low s. r, s, y parity. */
bool sign_secp256k1(uint8_t sig[static 65], const uint8_t digest[static 32], const struct secret *key);
/* False for a key outside 1 .. n-1. Uncompressed: 0x04, x, y. */
bool sign_secp256k1_pubkey(uint8_t pubkey[static 65], const struct secret *key);
/* Public key of a 65-byte signature as above; refuses high s. Needs no secret. */
bool sign_secp256k1_recover(uint8_t pubkey[static 65], const uint8_t digest[static 32],
                            const uint8_t sig[static 65]);

#endif
