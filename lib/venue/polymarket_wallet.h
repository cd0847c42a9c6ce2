/* Polymarket's deposit wallets: contracts that an account owns, at addresses that follow from the owner's.
 * They hold what is traded. Their calls go through the relayer, signed by the owner. */
#ifndef VENUE_POLYMARKET_WALLET_H
#define VENUE_POLYMARKET_WALLET_H

#include <stddef.h>
#include <stdint.h>

#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "codec/u256.h"

/* The forms in which the factory makes wallets. Existing ones keep their form, so an owner has one or the
 * other. */
enum polymarket_wallet_form {
    POLYMARKET_WALLET_BEACON, /* since mid-2026 */
    POLYMARKET_WALLET_UUPS,   /* before */
};

struct evm_addr polymarket_wallet_factory(void);
/* The beacon of the beacon form: the factory names it, and may change it. */
struct evm_addr polymarket_wallet_beacon(void);
/* EIP-1014. */
struct evm_addr polymarket_wallet_of(struct evm_addr owner, enum polymarket_wallet_form form);

struct polymarket_call {
    struct evm_addr target;
    struct u256 value;
    const uint8_t *data; /* borrowed */
    size_t len;
};

/* Calls that a wallet makes together: once, as its `nonce`, until `deadline`. */
struct polymarket_batch {
    struct evm_addr wallet;
    uint64_t nonce;
    uint64_t deadline; /* Unix seconds */
    const struct polymarket_call *calls;
    size_t count;
};

/* The digest that the owner signs, EIP-712. */
void polymarket_batch_digest(uint8_t out[static HASH_LEN], const struct polymarket_batch *b);

#endif
