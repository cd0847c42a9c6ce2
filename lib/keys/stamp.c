#include "keys/stamp.h"

#include <sodium.h>
#include <string.h>

#include "keys/inside.h"

/* Under a key of its own for the purpose. */
static void stamp_under(uint8_t out[static STAMP_LEN], const struct data_key *under, const char *purpose,
                        const void *bytes, size_t n)
{
    uint8_t key[HASH_LEN];

    put_be32(out, under->id);
    hmac_sha256(key, under->key->bytes, sizeof under->key->bytes, purpose, strlen(purpose));
    hmac_sha256(out + 4, key, sizeof key, bytes, n);
    sodium_memzero(key, sizeof key);
}

void stamp_make(uint8_t out[static STAMP_LEN], const struct keyring *k, const char *purpose,
                const void *bytes, size_t n)
{
    stamp_under(out, keyring_newest(k), purpose, bytes, n);
}

bool stamp_verify(const uint8_t stamp[static STAMP_LEN], const struct keyring *k, const char *purpose,
                  const void *bytes, size_t n)
{
    const struct data_key *under = keyring_find(k, get_be32(stamp));
    uint8_t own[STAMP_LEN];

    if (under == NULL)
        return false;
    stamp_under(own, under, purpose, bytes, n);
    return sodium_memcmp(own, stamp, sizeof own) == 0;
}
