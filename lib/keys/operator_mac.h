/* The operator's authorisation of one transaction that nobody else may order: a MAC over the wallet and the
 * whole unsigned transaction, hence its chain, nonce and recipient, under a key of its own
 * (key_dir/operator.key) that root and the signer can read and workers cannot. Repeating it yields the same
 * signature. */
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

#endif
