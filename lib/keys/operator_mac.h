/* The authorisation of orders that the operator alone may give: a MAC under a key of its own
 * (key_dir/operator.key) that root and the signer can read and workers cannot. One is over a wallet and a
 * whole unsigned transaction, hence its chain, nonce and recipient: repeating it yields the same signature.
 * The other is over an address that an agent's wallets may pay at once, and the time of the order: shown
 * later, or after the address was removed, it is refused (signer/address_history.h). Neither passes for the
 * other. */
#ifndef KEYS_OPERATOR_MAC_H
#define KEYS_OPERATOR_MAC_H

#include "codec/hash.h"
#include "keys/secret.h"
#include "model/wallet_ref.h"

#define OPERATOR_KEY "operator.key"

void operator_mac_make(uint8_t out[static HASH_LEN], const struct secret *key, const struct wallet_ref *w,
                       const uint8_t *tx, size_t len);
bool operator_mac_verify(const uint8_t mac[static HASH_LEN], const struct secret *key,
                         const struct wallet_ref *w, const uint8_t *tx, size_t len);

/* `family` is the chains' that have such addresses: an enum chain_type; `at_s` the second of the order, by
 * the wall clock. Programs of before named none. */
#define ORDER_UNTIMED 0
void operator_mac_make_address(uint8_t out[static HASH_LEN], const struct secret *key, struct uuid agent,
                               uint8_t family, const char *address, int64_t at_s);
/* Whether it is the operator's of that second. */
bool operator_mac_verify_address(const uint8_t mac[static HASH_LEN], const struct secret *key,
                                 struct uuid agent, uint8_t family, const char *address, int64_t at_s);

#endif
