#include "keys/seal.h"

#include "keys/inside.h"

enum { VERSION = 1, AT_ID = 1, AT_WRAPPED = 5 };

_Static_assert(AT_WRAPPED + WRAP_LEN == SEALED_LEN, "the layout fills the sealed bytes");

enum { BOUND_MAX = 2 * UUID_LEN + 1 + WALLET_ADDR_MAX };

/* Wallet id, agent id, chain type, address; only the last has a length of its own, so no two wallets are
 * bound alike. 0 for a reference that is not sound. */
static size_t bound_to(uint8_t out[static BOUND_MAX], const struct wallet_ref *w)
{
    size_t address = strnlen(w->address, sizeof w->address);

    if (address == 0 || address == sizeof w->address)
        return 0;
    if (w->kind < WALLET_EVM || w->kind > WALLET_TRADING)
        return 0;
    memcpy(out, w->wallet.bytes, UUID_LEN);
    memcpy(out + UUID_LEN, w->agent.bytes, UUID_LEN);
    out[2 * UUID_LEN] = (uint8_t)w->kind;
    memcpy(out + 2 * UUID_LEN + 1, w->address, address);
    return 2 * UUID_LEN + 1 + address;
}

bool seal_key(uint8_t out[static SEALED_LEN], const struct keyring *k, const struct wallet_ref *w,
              const struct secret *key)
{
    const struct data_key *under = keyring_newest(k);
    uint8_t bound[BOUND_MAX];
    size_t n = bound_to(bound, w);

    if (n == 0)
        return false;
    out[0] = VERSION;
    put_be32(out + AT_ID, under->id);
    return secret_wrap(out + AT_WRAPPED, key, under->key, bound, n);
}

struct secret *seal_open(const uint8_t sealed[static SEALED_LEN], const struct keyring *k,
                         const struct wallet_ref *w)
{
    const struct data_key *under = keyring_find(k, get_be32(sealed + AT_ID));
    uint8_t bound[BOUND_MAX];
    size_t n = bound_to(bound, w);

    if (n == 0 || under == NULL || sealed[0] != VERSION)
        return NULL;
    return secret_unwrap(sealed + AT_WRAPPED, under->key, bound, n);
}
