/* Service secrets at rest: what the service itself must read again (webhook secrets), sealed under the
 * service key file. Never used for wallet keys, which lib/keys seals under keys of its own. */
#ifndef CODEC_BOX_H
#define CODEC_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOX_KEY_LEN = 32, BOX_OVERHEAD = 24 + 16 };

/* Writes n + BOX_OVERHEAD bytes: random nonce, then XSalsa20-Poly1305. */
void box_seal(uint8_t *out, const uint8_t *in, size_t n, const uint8_t key[static BOX_KEY_LEN]);
/* Writes n - BOX_OVERHEAD bytes; false when the bytes were tampered with or the key is wrong. */
bool box_open(uint8_t *out, const uint8_t *in, size_t n, const uint8_t key[static BOX_KEY_LEN]);

#endif
