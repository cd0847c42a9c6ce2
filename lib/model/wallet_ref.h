/* Identifies a managed wallet to the signer; its sealed key is bound to all of these. */
#ifndef MODEL_WALLET_REF_H
#define MODEL_WALLET_REF_H

#include "codec/uuid.h"

enum { SEALED_LEN = 1 + 4 + 24 + 32 + 16, WALLET_ADDR_MAX = 80 + 1 };

enum wallet_kind {
    WALLET_EVM = 1,
    WALLET_SOLANA = 2,
    /* No wallet of its own: a key that trades perpetuals for the EVM wallet whose id it has. It signs
     * nothing else, and holds nothing. */
    WALLET_TRADING = 3,
};

struct wallet_ref {
    struct uuid wallet;
    struct uuid agent;
    enum wallet_kind kind;
    char address[WALLET_ADDR_MAX]; /* the key's own, as shown: EIP-55, or Base58 */
};

#endif
