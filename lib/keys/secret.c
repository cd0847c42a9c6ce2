#include "keys/secret.h"

#include <sodium.h>
#include <stdarg.h>

#include "codec/rand.h"
#include "keys/inside.h"

bool secrets_init(void)
{
    return sodium_init() >= 0;
}

/* sodium_malloc: own pages between guard pages, locked where the limit allows, left out of core files, and
 * wiped by sodium_free. */
struct secret *secret_new(void)
{
    struct secret *s = sodium_malloc(sizeof *s);

    if (s != NULL)
        sodium_memzero(s, sizeof *s);
    return s;
}

struct secret *secret_random(void)
{
    struct secret *s = secret_new();

    if (s != NULL)
        rand_bytes(s->bytes, sizeof s->bytes);
    return s;
}

struct secret *secret_take(uint8_t bytes[static SECRET_LEN])
{
    struct secret *s = secret_new();

    if (s != NULL)
        memcpy(s->bytes, bytes, sizeof s->bytes);
    sodium_memzero(bytes, SECRET_LEN);
    return s;
}

void secret_free(struct secret *s)
{
    sodium_free(s);
}

bool secret_wrap(uint8_t out[static WRAP_LEN], const struct secret *plain, const struct secret *under,
                 const uint8_t *bound, size_t bound_len)
{
    rand_bytes(out, WRAP_NONCE);
    return crypto_aead_xchacha20poly1305_ietf_encrypt(out + WRAP_NONCE, NULL, plain->bytes,
                                                      sizeof plain->bytes, bound, bound_len, NULL, out,
                                                      under->bytes) == 0;
}

struct secret *secret_unwrap(const uint8_t in[static WRAP_LEN], const struct secret *under,
                             const uint8_t *bound, size_t bound_len)
{
    struct secret *s = secret_new();

    if (s == NULL)
        return NULL;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(s->bytes, NULL, NULL, in + WRAP_NONCE,
                                                   WRAP_LEN - WRAP_NONCE, bound, bound_len, in,
                                                   under->bytes) == 0)
        return s;
    secret_free(s);
    return NULL;
}

void put_be32(uint8_t out[static 4], uint32_t v)
{
    out[0] = (uint8_t)(v >> 24);
    out[1] = (uint8_t)(v >> 16);
    out[2] = (uint8_t)(v >> 8);
    out[3] = (uint8_t)v;
}

uint32_t get_be32(const uint8_t in[static 4])
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

bool why_not(char *why, size_t why_len, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, why_len, fmt, ap);
    va_end(ap);
    return false;
}
