/* A bridge: the payment that a bridge provider has promised on another chain, the far one, for the deposit of
 * an execution's transaction. An execution has one at most: exactly when what it buys is on another chain
 * than what it sells. Its bridge provider answers questions about it (exec/bridge_provider.h). */
#ifndef MODEL_BRIDGE_H
#define MODEL_BRIDGE_H

#include "model/execution.h"
#include "model/wallet_ref.h"

struct chain;

/* ---- asking its bridge provider ---- */

struct bridge_in {
    const struct chain *from_chain, *to_chain;
    const char *tx;        /* on the source chain, as the chain writes it */
    const char *reference; /* the bridge provider's name for it; NULL: it goes by its transaction */
};

/* Numbers as stored. */
enum bridge_state {
    BRIDGE_UNKNOWN = 0, /* the answer says nothing about it */
    BRIDGE_UNDER_WAY = 1,
    BRIDGE_DONE = 2,
    BRIDGE_REFUNDED = 3,
    BRIDGE_FAILED = 4,
};

struct bridge_status {
    enum bridge_state state;
    const char *tx; /* that paid, on the target chain; a refund's is on the source chain. NULL: not known */
    const char *token; /* what arrived there; NULL: the bought token */
    struct u256 amount;
};

/* ---- its cached form ---- */

/* The proof that it was paid, or paid back. Numbers as stored. */
enum bridge_delivery {
    DELIVERY_NONE = 0,     /* it is not */
    DELIVERY_REPORTED = 1, /* by the bridge provider's word: no node of the chain could tell */
    DELIVERY_PROVEN = 2,   /* a node of the chain shows it */
};

struct bridge {
    uint64_t execution_id;
    char bridge_provider[33];
    const char *reference;           /* as in bridge_in */
    char recipient[WALLET_ADDR_MAX]; /* on the far chain */
    int64_t deadline_ms;             /* a refund is due after it; 0: not known */
    unsigned seconds;                /* that it takes, as estimated */
    uint64_t far_block;   /* the far chain's newest one before it was signed; 0: no node could tell */
    const uint8_t *proof; /* what the signer is shown in addition to the transaction; of none 0 bytes */
    size_t proof_len;
    enum bridge_state state; /* that the bridge provider has named last */
    int64_t since_ms;        /* since when it says so without a break; 0: it has said nothing yet */
    uint64_t out_chain_id;   /* of out_tx */
    struct tx_hash out_tx;   /* that paid, or paid back, as the bridge provider says; none: it has not said */
    uint64_t out_block;      /* where a node has shown it; 0: nowhere */
    enum bridge_delivery delivery; /* of what it paid, or paid back */
    struct token_ref arrived;      /* that instead of the bought token; chain 0: the bought token */
    struct u256 arrived_amount;    /* 0: not known */
    unsigned asks;                 /* how often its turn came */
    int64_t asked_ms, next_ask_ms; /* the last turn, and the next one */
};

/* A payment of a transaction to the recipient, as its chain shows it. One proves one delivery. */
struct arrival {
    int log_index; /* in its block; ARRIVAL_COIN: coin, which leaves no log */
    struct address_bytes token;
    struct u256 amount;
    bool of_block; /* all coin that came in its block: what else of that has been told has to come off */
};

enum { ARRIVAL_COIN = -1 };

#endif
