/* Transactions: legacy with EIP-155, EIP-2930 and EIP-1559. Building, decoding and hashing; signatures are
 * made in lib/keys alone. */
#ifndef CHAIN_EVM_TX_H
#define CHAIN_EVM_TX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"

enum evm_tx_type { EVM_TX_LEGACY = 0, EVM_TX_ACCESS_LIST = 1, EVM_TX_FEE_MARKET = 2 };

struct evm_tx {
    enum evm_tx_type type;
    uint64_t chain_id;
    uint64_t nonce;
    uint64_t gas_limit;
    struct u256 max_fee;      /* wei per gas; the gas price of legacy and EIP-2930 */
    struct u256 priority_fee; /* EIP-1559 only */
    bool create;              /* no `to`: deploys a contract */
    struct evm_addr to;
    struct u256 value;
    const uint8_t *data; /* not owned */
    size_t data_len;
    const uint8_t *access_list; /* its RLP payload (what is inside the list); NULL and 0 for an empty list */
    size_t access_list_len;
};

struct evm_sig {
    uint8_t r[32];
    uint8_t s[32];
    uint8_t y_parity; /* 0 or 1 */
};

/* The bytes whose Keccak-256 is signed. */
void evm_tx_unsigned(struct buf *out, const struct evm_tx *tx);
/* Decodes such bytes strictly: unknown types, trailing bytes and non-canonical forms are refused. Legacy
 * transactions must have the EIP-155 form (with a chain id). Pointers lead into `p`. */
bool evm_tx_decode_unsigned(struct evm_tx *out, const uint8_t *p, size_t n);
void evm_tx_signed(struct buf *out, const struct evm_tx *tx, const struct evm_sig *sig);
/* A transaction's id is the Keccak-256 of its signed bytes. */

#endif
