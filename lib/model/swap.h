/* A swap, its states and the table of moves between them. */
#ifndef MODEL_SWAP_H
#define MODEL_SWAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/amount.h"

enum swap_status {
    SWAP_PENDING = 1,    /* committed and signed; no node has it yet */
    SWAP_SUBMITTED = 2,  /* a node took it */
    SWAP_PROCESSING = 3, /* in a block, not deep enough; or a bridge under way */
    SWAP_COMPLETED = 4,
    SWAP_FAILED = 5,
    SWAP_EXPIRED = 6, /* an approval request that lapsed before anything was signed */
};

/* How the chain is watched for it. */
enum swap_follow {
    FOLLOW_NOT = 0,
    FOLLOW_IN_FLIGHT = 1, /* until settle depth */
    FOLLOW_ONCE_MORE = 2, /* settled as failed, and looked at once more later */
};

const char *swap_status_text(enum swap_status s);
/* How lists and webhooks know it: one of the specification's four. */
enum swap_status swap_listed(enum swap_status s);
/* One of the four, for the filter of lists. */
bool swap_listed_parse(enum swap_status *out, const char *text);
/* Whether the table allows the move. A signed swap is never EXPIRED. */
bool swap_may_move(enum swap_status from, enum swap_status to);

/* The provider of what is no trade: the operator empties a wallet, each token a swap into itself. */
#define SWEEP_PROVIDER "sweep"

/* A token as quotes and swaps keep it. The address is the zero address for a native coin. */
struct swap_token {
    uint64_t chain_id;
    char symbol[33];
    char address[65];
    uint8_t decimals;
};

struct swap {
    uint64_t id;
    uint64_t agent_id;
    uint64_t wallet_id;
    struct uuid quote_id;
    char provider[33];
    enum swap_status status;
    enum swap_follow follow;
    bool corrected; /* a failure that had been told was taken back */
    struct swap_token from, to;
    struct u256 amount_in, expected_out, min_out;
    bool has_amount_out;
    struct u256 amount_out; /* what arrived */
    bool has_tx_hash;
    uint8_t tx_hash[32];
    const char *error_code;    /* NULL while it has not failed */
    const char *error_message; /* likewise */
    int64_t created_ms, updated_ms, completed_ms, valid_until_ms;
    bool has_approval; /* the operator is, or was, asked for it */
    struct uuid approval;
    int64_t approval_expires_ms;
};

enum tx_kind { TX_APPROVAL = 1, TX_SWAP = 2, TX_CANCEL = 3, TX_BRIDGE_IN = 4, TX_BRIDGE_OUT = 5 };
enum tx_state {
    TX_OPEN = 1,    /* signed and stored; not in a block as far as we know */
    TX_MINED = 2,   /* in a block that may still be reorganised away */
    TX_SETTLED = 3, /* deep enough */
    TX_LOST = 4,    /* another transaction with its nonce settled */
};

/* What a node said when the transaction was offered last. */
enum tx_said {
    TX_SAID_NOTHING = 0, /* of the transaction itself */
    TX_SAID_TAKEN = 1,
    TX_SAID_CHEAP = 2,    /* it bids too little */
    TX_SAID_NO_FUNDS = 3, /* the wallet cannot pay it */
    TX_SAID_REFUSED = 4,  /* for good: too little gas, and the like */
};

/* A signed transaction of a swap. Several may carry one nonce (speed-ups, a cancel): any of them may win. */
struct swap_tx {
    uint64_t id;
    uint64_t swap_id;
    uint64_t wallet_id;
    uint64_t chain_id;
    uint64_t nonce;
    enum tx_kind kind;
    enum tx_state state;
    uint8_t hash[32];
    const uint8_t *raw;
    size_t raw_len;
    uint64_t gas_limit;
    struct u256 max_fee, priority_fee, value;
    bool has_token; /* spends or allows this much of a token, through this spender */
    uint8_t token[20];
    uint8_t spender[20];
    struct u256 token_amount;
    uint64_t block_number; /* 0: none */
    bool succeeded;
    unsigned offers, refusals; /* times offered; times refused for good or for want of funds */
    bool accepted;             /* a node took it at least once */
    enum tx_said said;
    int64_t offered_ms, created_ms;
};

const char *tx_kind_text(enum tx_kind k);

#endif
