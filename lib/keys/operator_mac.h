/* The operator's word for one transaction that nobody else may have signed: a MAC over the wallet and the
 * whole unsigned transaction, chain, nonce and recipient with it, under a key of its own
 * (key_dir/operator.key), which root and the signer can read and workers cannot. To repeat it yields the same
 * signature again. */
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
