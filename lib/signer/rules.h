/* What a transaction does, read from its own bytes, and whether a wallet may do such a thing at all: trade at
 * a listed contract with itself as the recipient, allow such a contract a bounded amount of a token, wrap and
 * unwrap, or fill a nonce with nothing. Everything else is refused, whoever asks. */
#ifndef SIGNER_RULES_H
#define SIGNER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/evm/addr.h"
#include "chain/evm/tx.h"
#include "codec/u256.h"

struct act {
    uint64_t chain_id;
    uint64_t nonce;
    struct evm_addr to;
    bool has_selector;
    uint32_t selector;
    struct u256 value;
    struct u256 native; /* the most that it takes of the chain's coin: value, and all of its gas at its fee */
    bool has_token;
    struct evm_addr token; /* that is sold, or that a spender is allowed to take ... */
    struct u256 amount;    /* ... so much of, in smallest units */
    bool grants;           /* an allowance: tokens leave a wallet by one alone, so days are counted here */
};

/* Fills out as far as it can be read. NULL when it may be signed, else why not, in a few words. */
const char *rules_check(struct act *out, const struct evm_tx *tx, struct evm_addr wallet);

/* The same for what the operator alone may order: the chain's coin to an address, or transfer() of a token,
 * and nothing else. */
const char *rules_check_sweep(struct act *out, const struct evm_tx *tx);

#endif
