#include "codec/box.h"

#include <sodium/crypto_secretbox.h>

#include "base/log.h"
#include "codec/rand.h"

enum { NONCE_LEN = crypto_secretbox_NONCEBYTES };

_Static_assert(BOX_KEY_LEN == crypto_secretbox_KEYBYTES, "the key has libsodium's length");
_Static_assert(BOX_OVERHEAD == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES, "nonce and tag");

void box_seal(uint8_t *out, const uint8_t *in, size_t n, const uint8_t key[static BOX_KEY_LEN])
{
    rand_bytes(out, NONCE_LEN);
    if (crypto_secretbox_easy(out + NONCE_LEN, in, n, out, key) != 0)
        log_fatal("program_broken", "cannot seal %zu bytes", n);
}

bool box_open(uint8_t *out, const uint8_t *in, size_t n, const uint8_t key[static BOX_KEY_LEN])
{
    if (n < BOX_OVERHEAD)
        return false;
    return crypto_secretbox_open_easy(out, in + NONCE_LEN, n - NONCE_LEN, in, key) == 0;
}
