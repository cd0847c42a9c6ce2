#include "model/api_key.h"

#include <string.h>

#include "codec/rand.h"

enum { PREFIX_LEN = 7 };
static const char AGENTS[] = "svc_sk_", OPERATORS[] = "svc_op_";

static void key_make(struct api_key *out, const char prefix[static PREFIX_LEN + 1])
{
    uint8_t bytes[API_KEY_BYTES];

    rand_bytes(bytes, sizeof bytes);
    memcpy(out->text, prefix, PREFIX_LEN);
    base64url_encode(out->text + PREFIX_LEN, bytes, sizeof bytes);
    sha256(out->hash, out->text, strlen(out->text));
    explicit_bzero(bytes, sizeof bytes);
}

static bool key_begins(const char *text, const char prefix[static PREFIX_LEN + 1])
{
    size_t n = strlen(text);

    return n >= API_KEY_MIN && n <= API_KEY_MAX && strncmp(text, prefix, PREFIX_LEN) == 0 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

void api_key_new(struct api_key *out)
{
    key_make(out, AGENTS);
}

bool api_key_has_form(const char *text)
{
    return key_begins(text, AGENTS);
}

void operator_token_new(struct api_key *out)
{
    key_make(out, OPERATORS);
}

bool operator_token_has_form(const char *text)
{
    return key_begins(text, OPERATORS);
}
