/* The act of a payload to be signed, read from its own bytes: the facts that rules, limits and the audit file
 * need, for every family of chains. */
#ifndef SIGNER_ACT_H
#define SIGNER_ACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "model/wallet_ref.h"
#include "venue/trade.h"

struct act {
    uint64_t chain_id;
    const struct chain *chain; /* NULL: not known, or none */
    bool has_nonce;
    uint64_t nonce;
    char to[TRADE_ADDRESS_MAX];
    bool has_selector;
    uint32_t selector;
    struct u256 native; /* the most that it takes of the chain's coin: value, fees, and on
                         * Solana rents */
    bool unwraps;       /* more of it, uncounted (venue/solana.h) */
    const char *flaw;   /* why nothing of this form is signed; NULL: nothing is wrong with it */
    enum trade_reading reading;
    struct trade trade;  /* as far as it could be read; the value always */
    bool executor_known; /* trade.executor is on the signer's list (signer/settlers.h) */
    bool has_token;      /* a token's amount leaves, or may be taken: trade.sell and trade.amount */
    /* Whom a bridge has to pay, by the record that came with it: the same agent's. "": the wallet itself. */
    char far_wallet[WALLET_ADDR_MAX];
    /* The action of a venue that is no chain, by its name; NULL: a chain's transaction, or a message. */
    const char *action;
    bool withdraws;                    /* by such an action: trade.amount of trade.sell */
    char trading_key[WALLET_ADDR_MAX]; /* that it approves; "": none */
};

/* An unsigned transaction of the wallet (EIP-55), read with what was handed over to show what it is for.
 * False when the bytes are none; the rest is in `out`. `now` in Unix seconds. */
bool act_read_evm(struct act *out, const uint8_t *tx, size_t len, const char *wallet,
                  struct trade_proof proof, int64_t now);
/* An unsigned transaction of the wallet, read with what was handed over with it (venue/solana.h) as a
 * trade, or as a plain transfer. False when the bytes are none, the addresses not as many, or an order is
 * shown that it is not for. */
bool act_read_solana(struct act *out, const uint8_t *tx, size_t len, const char *wallet,
                     struct trade_proof proof, bool transfer, int64_t now);

/* A swap, here or to another chain. */
bool act_is_trade(const struct act *act);
/* The chain of what it buys; NULL: not known. */
const struct chain *act_bought_on(const struct act *act);

#endif
