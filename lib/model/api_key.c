#include "model/api_key.h"

#include <string.h>

#include "codec/rand.h"

static const char PREFIX[] = "svc_sk_";

void api_key_new(struct api_key *out)
{
    uint8_t bytes[API_KEY_BYTES];

    rand_bytes(bytes, sizeof bytes);
    memcpy(out->text, PREFIX, sizeof PREFIX);
    base64url_encode(out->text + sizeof PREFIX - 1, bytes, sizeof bytes);
    sha256(out->hash, out->text, strlen(out->text));
    explicit_bzero(bytes, sizeof bytes);
}

bool api_key_has_form(const char *text)
{
    size_t n = strlen(text);

    return n >= API_KEY_MIN && n <= API_KEY_MAX && strncmp(text, PREFIX, sizeof PREFIX - 1) == 0 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}
