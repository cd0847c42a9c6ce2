#include "webhook/webhook_sign.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/secret_text.h"
#include "codec/hash.h"
#include "codec/hex.h"
#include "codec/rand.h"

static const char secret_prefix[] = "whsec_";
static const char version[] = "v1,";
enum {
    SECRET_PREFIX_LEN = sizeof secret_prefix - 1,
    VERSION_LEN = sizeof version - 1,
    ID_AND_TIME_MAX = 256
};

void webhook_secret_new(struct webhook_secret *s)
{
    rand_bytes(s->bytes, sizeof s->bytes);
}

void webhook_secret_text(char out[static WEBHOOK_SECRET_TEXT_LEN + 1], const struct webhook_secret *s)
{
    memcpy(out, secret_prefix, SECRET_PREFIX_LEN);
    base64_encode(out + SECRET_PREFIX_LEN, s->bytes, sizeof s->bytes);
}

bool webhook_secret_parse(struct webhook_secret *out, const char *text)
{
    size_t n = 0;

    if (strlen(text) != WEBHOOK_SECRET_TEXT_LEN || memcmp(text, secret_prefix, SECRET_PREFIX_LEN) != 0)
        return false;
    return base64_decode(out->bytes, sizeof out->bytes, &n, text + SECRET_PREFIX_LEN,
                         WEBHOOK_SECRET_TEXT_LEN - SECRET_PREFIX_LEN) &&
           n == sizeof out->bytes;
}

void webhook_secret_seal(uint8_t out[static WEBHOOK_SECRET_SEALED_LEN], const struct webhook_secret *s,
                         const uint8_t key[static BOX_KEY_LEN])
{
    box_seal(out, s->bytes, sizeof s->bytes, key);
}

void webhook_secret_issue(struct webhook_secret_issued *out, const uint8_t key[static BOX_KEY_LEN])
{
    struct webhook_secret secret;

    webhook_secret_new(&secret);
    webhook_secret_text(out->text, &secret);
    webhook_secret_seal(out->sealed, &secret, key);
    explicit_bzero(&secret, sizeof secret);
}

bool webhook_secret_open(struct webhook_secret *out, const uint8_t *sealed, size_t n,
                         const uint8_t key[static BOX_KEY_LEN])
{
    return n == WEBHOOK_SECRET_SEALED_LEN && box_open(out->bytes, sealed, n, key);
}

void webhook_signatures(char out[static WEBHOOK_SIGNATURES_MAX], const struct webhook_secret *secrets,
                        size_t n, const char *id, int64_t timestamp, const void *body, size_t body_len)
{
    struct buf content = BUF_INIT(body_len + ID_AND_TIME_MAX);
    uint8_t mac[HASH_LEN];

    buf_addf(&content, "%s.%" PRId64 ".", id, timestamp);
    buf_add(&content, body, body_len);
    for (size_t i = 0; i < n && i < WEBHOOK_SECRETS_MAX; i++) {
        if (i > 0)
            *out++ = ' ';
        hmac_sha256(mac, secrets[i].bytes, sizeof secrets[i].bytes, content.data, content.len);
        memcpy(out, version, VERSION_LEN);
        base64_encode(out + VERSION_LEN, mac, sizeof mac);
        out += WEBHOOK_SIGNATURE_LEN;
    }
    *out = '\0';
    buf_free(&content);
}

const char *service_key_read(const char *path, uint8_t out[static BOX_KEY_LEN])
{
    char text[2 * BOX_KEY_LEN + 8];
    const char *why = secret_text_read(text, sizeof text, path);

    if (why == NULL && (strlen(text) < 2 * BOX_KEY_LEN ||
                        text[2 * BOX_KEY_LEN + strspn(text + 2 * BOX_KEY_LEN, " \t\r\n")] != '\0' ||
                        !hex_decode(out, BOX_KEY_LEN, text, 2 * BOX_KEY_LEN)))
        why = "it has not 64 hexadecimal digits";
    explicit_bzero(text, sizeof text);
    return why;
}
