/* One request in, one answer out, without trust in the caller: the payload is decoded, what it does is
 * checked against what wallets may do and against the operator's limits, the wallet's sealed key is opened
 * with the binding that the caller claims, and the key's own address is compared. Every decision is in the
 * audit file before the answer leaves. */
#ifndef SIGNER_ANSWER_H
#define SIGNER_ANSWER_H

#include "keys/keyring.h"
#include "signer/address_history.h"
#include "signer/approved_trading_keys.h"
#include "signer/audit_log.h"
#include "signer/hyperliquid.h"
#include "signer/ledger.h"
#include "signer/polymarket.h"
#include "signer/signer_limits.h"
#include "signer/signer_message.h"

/* The state of the signer. */
struct signer_state {
    struct keyring *keyring;
    const struct limits *limits;
    struct ledger *ledger;       /* for these limits; NULL: none of them is for a day */
    struct audit_log *audit_log; /* NULL: nothing is recorded */
    int wallets;                 /* open file of signer/wallet_file.h; -1: none */
    int kill_switch;             /* open file of signer/kill_switch.h; -1: none */
    int settlers;                /* open file of signer/settlers.h; -1: none */
    int prices;                  /* open file of signer/min_output.h; -1: none */
    struct address_history *history;
    bool locked;                 /* memory is kept out of swap */
    struct secret *operator_key; /* that verifies the operator's MACs; NULL: no transfers */
    struct polymarket_terms polymarket;
    struct hyperliquid_terms hyperliquid;
    struct trading_keys *trading_keys; /* NULL: no trading key is approved */
};

/* By the kill switch. */
bool signer_is_stopped(const struct signer_state *state);

/* Never fails: the answer's status says what happened. */
void signer_answer_to(struct signer_answer *out, const struct signer_state *state, const uint8_t *packet,
                      size_t len);

#endif
