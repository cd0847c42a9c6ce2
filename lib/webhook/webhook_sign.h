/* Signatures of Standard Webhooks (symmetric scheme), and the secrets they are made with. A secret is shown
 * to its agent once, as whsec_ and base64; at rest it is sealed under the service key. */
#ifndef WEBHOOK_WEBHOOK_SIGN_H
#define WEBHOOK_WEBHOOK_SIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/base64.h"
#include "codec/box.h"

enum {
    WEBHOOK_SECRET_LEN = 32,
    WEBHOOK_SECRET_TEXT_LEN = 6 + BASE64_LEN(WEBHOOK_SECRET_LEN),
    WEBHOOK_SECRET_SEALED_LEN = WEBHOOK_SECRET_LEN + BOX_OVERHEAD,
    WEBHOOK_SECRETS_MAX = 3, /* the present one, the previous one, a security event's own */
    WEBHOOK_SIGNATURE_LEN = 3 + BASE64_LEN(32), /* "v1," and the digest */
    WEBHOOK_SIGNATURES_MAX = WEBHOOK_SECRETS_MAX * (WEBHOOK_SIGNATURE_LEN + 1),
};

struct webhook_secret {
    uint8_t bytes[WEBHOOK_SECRET_LEN];
};

void webhook_secret_new(struct webhook_secret *s);
void webhook_secret_text(char out[static WEBHOOK_SECRET_TEXT_LEN + 1], const struct webhook_secret *s);
bool webhook_secret_parse(struct webhook_secret *out, const char *text);

void webhook_secret_seal(uint8_t out[static WEBHOOK_SECRET_SEALED_LEN], const struct webhook_secret *s,
                         const uint8_t key[static BOX_KEY_LEN]);

/* A new secret as it is shown to its agent, this once, and as it is kept. */
struct webhook_secret_issued {
    char text[WEBHOOK_SECRET_TEXT_LEN + 1];
    uint8_t sealed[WEBHOOK_SECRET_SEALED_LEN];
};
void webhook_secret_issue(struct webhook_secret_issued *out, const uint8_t key[static BOX_KEY_LEN]);

bool webhook_secret_open(struct webhook_secret *out, const uint8_t *sealed, size_t n,
                         const uint8_t key[static BOX_KEY_LEN]);

/* The value of the header webhook-signature: one signature for each secret (at most WEBHOOK_SECRETS_MAX),
 * separated by a space. `timestamp` is in seconds. */
void webhook_signatures(char out[static WEBHOOK_SIGNATURES_MAX], const struct webhook_secret *secrets,
                        size_t n, const char *id, int64_t timestamp, const void *body, size_t body_len);

/* Reads a key file: 64 hexadecimal digits, which white space may follow. */
const char *service_key_read(const char *path, uint8_t out[static BOX_KEY_LEN]);

#endif
