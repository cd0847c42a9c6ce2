/* An address that an agent's wallets may pay: the signer seals a record of it, with the moment from which it
 * counts, and signs a withdrawal only with that record (signer/address_seal.h). Everybody else keeps it as
 * bytes. */
#ifndef SIGNER_ADDRESS_RECORD_H
#define SIGNER_ADDRESS_RECORD_H

#include "chain/chains.h"
#include "model/wallet_ref.h"
#include "model/withdrawal.h"

struct allowlist_address {
    struct uuid agent;
    enum chain_type type;
    char address[WALLET_ADDR_MAX]; /* as its family writes it: EIP-55, or Base58 */
};

#endif
