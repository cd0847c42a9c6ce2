/* The effect of a transaction on a wallet's money, read from its own bytes, for every venue and every
 * provider that built it. The signer's rules (signer/signer_rules.h) and the worker's guard
 * (exec/evm/evm_guard.h) look at nothing else. */
#ifndef VENUE_TRADE_H
#define VENUE_TRADE_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/chains.h"
#include "chain/evm/tx.h"
#include "codec/u256.h"
#include "model/loan.h"
#include "venue/contracts.h"

enum { TRADE_ADDRESS_MAX = 161 };
#define TRADE_COIN EVM_ADDR_ZERO /* in a token's place: the chain's coin */

enum trade_act {
    TRADE_PAYMENT,   /* the chain's coin to a recipient, and no call */
    TRADE_TRANSFER,  /* a token to a recipient */
    TRADE_ALLOWANCE, /* a spender may take a token later */
    TRADE_SWAP,      /* one token for another; wrapping and unwrapping too */
    TRADE_BRIDGE,    /* one token for another on another chain */
    TRADE_TRUST,     /* a spender may use all tokens of a contract later: `amount` is 1; 0 takes it back */
    TRADE_REDEEM,    /* what is paid for a decided bet */
    TRADE_LOAN,      /* at a lender: `loan`; the sold token is what it takes, where the call says how much */
    TRADE_DEPOSIT,   /* a token for an account at a venue: `recipient` is whose, there, at least `minimum` */
    TRADE_ORDER,     /* a signed request to a venue; no transaction is one */
};

/* Tokens and accounts as the chain writes them; "": there is none. */
struct trade {
    enum trade_act act;
    const struct contract *contract; /* the one called, or the registry of the one that is; NULL: unlisted */
    char sell[TRADE_ADDRESS_MAX];    /* what leaves, or may be taken ... */
    struct u256 amount;              /* ... and how much of it, in smallest units */
    char buy[TRADE_ADDRESS_MAX];     /* what is received for it ... */
    struct u256 minimum;             /* ... at least so much arrives, or the contract reverts */
    /* A contract outside of the table that does the work: the signer has to know that it is genuine. */
    char executor[TRADE_ADDRESS_MAX];
    /* The account that gets a share of the trade, which the minimum does not contain. */
    char fee_receiver[TRADE_ADDRESS_MAX];
    char recipient[TRADE_ADDRESS_MAX]; /* of the output, the payment or the transfer; "": no single account */
    uint64_t far_chain;                /* TRADE_BRIDGE: where `buy`, `minimum` and `recipient` are */
    uint64_t far_deadline; /* Unix seconds: what has not arrived by then is to be refunded; 0: not known */
    bool proven;           /* by the proof: without it this would not be known */
    char refund[TRADE_ADDRESS_MAX]; /* who gets the input back when nothing arrives; "": none */
    char spender[TRADE_ADDRESS_MAX];
    bool spender_listed;     /* as a contract that may get it */
    uint64_t deadline;       /* Unix seconds; 0: none */
    struct u256 value;       /* of the chain's coin, sent along ... */
    struct u256 value_spent; /* ... and what of it pays for the input */
    struct loan loan;        /* TRADE_LOAN */
};

enum trade_reading {
    TRADE_READ,
    TRADE_UNLISTED,   /* the contract or the call is not listed */
    TRADE_UNREADABLE, /* the call is not encoded as it should be */
};

/* The proof that a call does what it promises, where its own bytes do not show it: for a deposit to Relay the
 * order that it pays for (venue/relay_calls.h). NULL: none. */
struct trade_proof {
    const uint8_t *p;
    size_t len;
};
#define NO_PROOF ((struct trade_proof){ NULL, 0 })

/* Reads a transaction of `sender` (EIP-55) on chain `c`. `out` has what could be read, with every result. A
 * proof that no call asks for is not looked at. */
enum trade_reading trade_read_evm(struct trade *out, const struct chain *c, const struct evm_tx *tx,
                                  const char *sender, struct trade_proof proof);

/* Whether the coin itself is what leaves. */
bool trade_sells_coin(const struct trade *t);
/* Or what is received. */
bool trade_buys_coin(const struct trade *t);

#endif
