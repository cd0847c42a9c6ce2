/* What a transaction does, read from its own bytes, and whether a wallet may do such a thing at all: trade at
 * a listed contract with itself as the recipient, grant such a contract a bounded allowance, wrap and unwrap,
 * or fill a nonce with nothing. Everything else is refused, whoever asks. */
#ifndef SIGNER_RULES_H
#define SIGNER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/evm/tx.h"
#include "codec/u256.h"
#include "venue/trade.h"

/* Facts for the limits and the audit file, whatever the chain's family. */
struct act {
    uint64_t chain_id;
    uint64_t nonce;
    char to[TRADE_ADDRESS_MAX];
    bool has_selector;
    uint32_t selector;
    struct u256 native; /* the most that it takes of the chain's coin: value, and all of its gas at its fee */
    bool has_token;     /* a token's amount leaves, or may be taken: trade.sell and trade.amount */
    struct trade trade; /* as far as it could be read; the value always */
};

/* NULL when the wallet (EIP-55) may sign it, else why not, in a few words. */
const char *rules_check_evm(struct act *out, const struct evm_tx *tx, const char *wallet);

/* The same for what the operator alone may order: the chain's coin to an address, or transfer() of a token,
 * and nothing else. */
const char *rules_check_evm_sweep(struct act *out, const struct evm_tx *tx, const char *wallet);

#endif
