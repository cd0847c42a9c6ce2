/* The record of an address that an agent's wallets may pay (signer/address_record.h), as the signer makes it
 * and knows it again: a MAC by the signer's keys covers all of it, so no other program can make or change
 * one. It names the agent and not a wallet: opening a wallet's key proves whose it is. */
#ifndef SIGNER_ADDRESS_SEAL_H
#define SIGNER_ADDRESS_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/keyring.h"
#include "signer/address_record.h"

struct sealed_address {
    struct allowlist_address payee;
    int64_t made;       /* seconds of the signer's time (signer/address_history.h); so the next */
    int64_t not_before; /* when it counts */
};

/* Seals an address as its family writes it. */
void address_seal(struct address_record *out, const struct keyring *k, const struct sealed_address *a);
/* False for what was not made by this or with these keys. */
bool address_open(struct sealed_address *out, const struct keyring *k, const uint8_t *record, size_t len);

#endif
