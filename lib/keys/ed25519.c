#include "keys/ed25519.h"

#include <sodium.h>

#include "keys/inside.h"

_Static_assert(ED25519_PUBKEY_LEN == crypto_sign_ed25519_PUBLICKEYBYTES, "as the library has it");
_Static_assert(ED25519_SIG_LEN == crypto_sign_ed25519_BYTES, "as the library has it");
_Static_assert(SECRET_LEN == crypto_sign_ed25519_SEEDBYTES, "a secret is a seed");

/* The library's form of the private key, seed and public key: in guarded memory, as seeds are, and only for
 * the duration of a call. */
static uint8_t *make_pair(uint8_t pubkey[static ED25519_PUBKEY_LEN], const struct secret *seed)
{
    uint8_t *pair = sodium_malloc(crypto_sign_ed25519_SECRETKEYBYTES);

    if (pair != NULL)
        (void)crypto_sign_ed25519_seed_keypair(pubkey, pair, seed->bytes); /* always 0 */
    return pair;
}

bool ed25519_pubkey(uint8_t pubkey[static ED25519_PUBKEY_LEN], const struct secret *seed)
{
    uint8_t *pair = make_pair(pubkey, seed);

    sodium_free(pair);
    return pair != NULL;
}

bool ed25519_sign(uint8_t sig[static ED25519_SIG_LEN], const uint8_t *message, size_t n,
                  const struct secret *seed)
{
    uint8_t pubkey[ED25519_PUBKEY_LEN], *pair = make_pair(pubkey, seed);

    if (pair == NULL)
        return false;
    (void)crypto_sign_ed25519_detached(sig, NULL, message, n, pair); /* always 0 */
    sodium_free(pair);
    return true;
}
