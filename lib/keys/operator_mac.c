#include "keys/operator_mac.h"

#include <sodium.h>
#include <string.h>

#include "keys/inside.h"

/* It covers a label, the wallet, and the SHA-256 of the transaction. */
void operator_mac_make(uint8_t out[static HASH_LEN], const struct secret *key, const struct wallet_ref *w,
                       const uint8_t *tx, size_t len)
{
    static const char label[] = "agent-gateway sweep";
    uint8_t what[sizeof label + UUID_LEN + WALLET_ADDR_MAX + HASH_LEN] = { 0 };
    uint8_t *p = what;

    memcpy(p, label, sizeof label);
    p += sizeof label;
    memcpy(p, w->wallet.bytes, UUID_LEN);
    p += UUID_LEN;
    memcpy(p, w->address, strnlen(w->address, WALLET_ADDR_MAX));
    p += WALLET_ADDR_MAX;
    sha256(p, tx, len);
    hmac_sha256(out, key->bytes, sizeof key->bytes, what, sizeof what);
}

bool operator_mac_verify(const uint8_t mac[static HASH_LEN], const struct secret *key,
                         const struct wallet_ref *w, const uint8_t *tx, size_t len)
{
    uint8_t own[HASH_LEN];

    operator_mac_make(own, key, w, tx, len);
    return sodium_memcmp(own, mac, sizeof own) == 0;
}

/* It covers a label of its own, agent, family and address, and a second under another label. */
void operator_mac_make_address(uint8_t out[static HASH_LEN], const struct secret *key, struct uuid agent,
                               uint8_t family, const char *address, int64_t at_s)
{
    static const char timed[] = "agent-gateway withdrawal address at",
                      untimed[] = "agent-gateway withdrawal address";
    uint8_t what[sizeof timed + sizeof(uint64_t) + UUID_LEN + 1 + WALLET_ADDR_MAX] = { 0 };
    uint8_t *p = what;

    memcpy(p, timed, sizeof timed);
    p += sizeof timed;
    for (int shift = 56; at_s != ORDER_UNTIMED && shift >= 0; shift -= 8)
        *p++ = (uint8_t)((uint64_t)at_s >> shift);
    if (at_s == ORDER_UNTIMED) {
        memcpy(what, untimed, sizeof untimed);
        p = what + sizeof untimed;
    }
    memcpy(p, agent.bytes, UUID_LEN);
    p += UUID_LEN;
    *p++ = family;
    memset(p, 0, WALLET_ADDR_MAX);
    memcpy(p, address, strnlen(address, WALLET_ADDR_MAX));
    p += WALLET_ADDR_MAX;
    hmac_sha256(out, key->bytes, sizeof key->bytes, what, (size_t)(p - what));
}

bool operator_mac_verify_address(const uint8_t mac[static HASH_LEN], const struct secret *key,
                                 struct uuid agent, uint8_t family, const char *address, int64_t at_s)
{
    uint8_t own[HASH_LEN];

    operator_mac_make_address(own, key, agent, family, address, at_s);
    return sodium_memcmp(own, mac, sizeof own) == 0;
}
