/* An execution (any act outside that an agent orders of a wallet), its effects, and the moves between their
 * states. */
#ifndef MODEL_EXECUTION_H
#define MODEL_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "codec/uuid.h"
#include "model/amount.h"

/* The kinds, and their numbers as stored; a kind's row in lib/registry defines the engine's part. */
#define EXEC_KINDS(KIND)                                                                                     \
    KIND(KIND_SWAP, 1)                                                                                       \
    KIND(KIND_TRANSFER, 2)                                                                                   \
    KIND(KIND_PREDICT_ORDER, 3)                                                                              \
    KIND(KIND_PREDICT_DEPOSIT, 4)                                                                            \
    KIND(KIND_PREDICT_WITHDRAWAL, 5)                                                                         \
    KIND(KIND_PREDICT_REDEMPTION, 6)                                                                         \
    KIND(KIND_WITHDRAWAL, 7)                                                                                 \
    KIND(KIND_LEND_SUPPLY, 8)                                                                                \
    KIND(KIND_LEND_WITHDRAW, 9)                                                                              \
    KIND(KIND_LEND_BORROW, 10)                                                                               \
    KIND(KIND_LEND_REPAY, 11)                                                                                \
    KIND(KIND_LEND_COLLATERAL, 12)                                                                           \
    KIND(KIND_PERPS_ORDER, 13)                                                                               \
    KIND(KIND_PERPS_CLOSE, 14)                                                                               \
    KIND(KIND_PERPS_LEVERAGE, 15)                                                                            \
    KIND(KIND_PERPS_KEY, 16)                                                                                 \
    KIND(KIND_PERPS_DEPOSIT, 17)                                                                             \
    KIND(KIND_PERPS_WITHDRAWAL, 18)

#define EXEC_KIND_ENUM(name, number) name = number,
enum exec_kind_id { EXEC_KINDS(EXEC_KIND_ENUM) };
#undef EXEC_KIND_ENUM

enum exec_status {
    EXEC_PENDING = 1,    /* committed and signed; no node has it yet */
    EXEC_SUBMITTED = 2,  /* a node took it */
    EXEC_PROCESSING = 3, /* in a block, not deep enough; or its bridge is in progress */
    EXEC_COMPLETED = 4,
    EXEC_FAILED = 5,
    EXEC_EXPIRED = 6, /* an approval request that lapsed before anything was signed */
};

/* The way in which the chain is watched for it. */
enum exec_follow {
    FOLLOW_NOT = 0,
    FOLLOW_IN_FLIGHT = 1, /* until settle depth */
    FOLLOW_ONCE_MORE = 2, /* settled as failed, and looked at once more later */
    FOLLOW_BRIDGE = 3,    /* its transactions have settled, and its bridge has not */
};

const char *exec_status_text(enum exec_status s);
/* The status that lists and webhooks show: one of the specification's four. */
enum exec_status exec_listed(enum exec_status s);
/* One of the four, for the filter of lists. */
bool exec_listed_parse(enum exec_status *out, const char *text);
/* Whether GET /swaps lists executions of the kind and GET /me counts them. By the kind's row, so it is
 * defined where the rows are: registry/kinds.c. */
bool exec_in_swaps(enum exec_kind_id kind);
bool exec_lends(enum exec_kind_id kind);
/* Whether it places an order with a venue, whose own status lists show. */
bool exec_places(enum exec_kind_id kind);
/* Whether the table allows the move. A signed swap is never EXPIRED. */
bool exec_may_move(enum exec_status from, enum exec_status to);

enum { TOKEN_ADDR_MAX = 160 + 1 };

/* A token as quotes and executions keep it. The address is the zero address for a native coin. */
struct token_ref {
    uint64_t chain_id;
    char symbol[33];
    char address[TOKEN_ADDR_MAX];
    uint8_t decimals;
};

/* The amount of the token, more than nothing, in the member "amount" of a request; *out is in smallest units,
 * rounded down to them. NULL, or E_AMOUNT. */
const struct err *token_ref_amount(struct arena *a, const struct token_ref *t, const char *text,
                                   struct u256 *out);

enum { TX_HASH_MAX = 64, ADDRESS_BYTES_MAX = 160 };

/* A transaction's id on its chain, in the family's own bytes: 32 on EVM chains. */
struct tx_hash {
    uint8_t bytes[TX_HASH_MAX];
    uint8_t len; /* 0: none */
};

/* A token or an account in the family's own bytes: 20 on EVM chains, a public key's 32 on others, or the text
 * by which a bridge knows it. One address has one form, so that equal bytes are what tells them apart. */
struct address_bytes {
    uint8_t bytes[ADDRESS_BYTES_MAX];
    uint8_t len; /* 0: none */
};

bool tx_hash_equal(const struct tx_hash *a, const struct tx_hash *b);
bool address_bytes_equal(const struct address_bytes *a, const struct address_bytes *b);

struct execution {
    uint64_t id;
    uint64_t agent_id;
    uint64_t wallet_id;
    enum exec_kind_id kind;
    char venue[33];   /* who carries it out */
    struct uuid once; /* unique: the quote that it consumed, or random */
    enum exec_status status;
    enum exec_follow follow;
    bool corrected; /* a failure that had been told was taken back */
    struct token_ref from, to;
    struct u256 amount_in, expected_out, min_out;
    bool has_amount_out;
    struct u256 amount_out;    /* what arrived; of kinds that only give (exec/kind.h), what was taken */
    struct tx_hash tx_hash;    /* that is shown; none before a node took the transaction */
    const char *error_code;    /* NULL while it has not failed */
    const char *error_message; /* NULL while it has not failed */
    int64_t created_ms, updated_ms, completed_ms, valid_until_ms;
    bool has_approval; /* the operator is, or was, asked for it */
    struct uuid approval;
    int64_t approval_expires_ms;
    bool untasked; /* not stored: no task can have it yet */
};

/* Whether what it buys is on another chain than what it sells. */
bool execution_has_bridge(const struct execution *x);

/* The chain of an execution that it is for. */
enum tx_leg { LEG_SOURCE = 1, LEG_DESTINATION = 2 };
enum tx_kind { TX_APPROVAL = 1, TX_SPEND = 2, TX_CANCEL = 3, TX_BRIDGE_IN = 4, TX_BRIDGE_OUT = 5 };
/* States of a transaction; of a request. */
enum effect_state {
    EFFECT_OPEN = 1,     /* signed and stored; not in a block, or not at its venue, as far as we know */
    EFFECT_INCLUDED = 2, /* in a block that may still be reorganised away; the venue has it */
    EFFECT_SETTLED = 3,  /* deep enough; the venue has finished with it */
    EFFECT_LOST = 4, /* another transaction with its nonce settled; the venue never took it and never will */
    EFFECT_RENEWED = 5, /* lost, and another request was signed in its place */
};

/* The reply to an effect's last broadcast. */
enum broadcast_result {
    BROADCAST_UNKNOWN = 0, /* of the transaction itself */
    BROADCAST_ACCEPTED = 1,
    BROADCAST_UNDERPRICED = 2, /* it bids too little */
    BROADCAST_NO_FUNDS = 3,    /* the wallet cannot pay it */
    BROADCAST_REFUSED = 4,     /* for good: too little gas, and the like */
};

/* The reply of a node, or a venue, to one sending of an effect. */
struct broadcast {
    uint64_t id;
    enum broadcast_result said;
};

/* The common part of transactions and requests: both are signed and stored before they are sent, and sent
 * again, byte for byte, until their state is final. */
struct effect {
    uint64_t id; /* in its own table */
    uint64_t execution_id;
    uint64_t wallet_id;
    enum effect_state state;
    bool succeeded;      /* once it is included */
    unsigned broadcasts; /* how often it was sent */
    bool accepted;       /* a node, or the venue, took it at least once */
    unsigned refusals;   /* how often it was refused for good or for lack of funds */
    enum broadcast_result said;
    int64_t broadcast_ms, created_ms;
};

/* A signed transaction. Several may carry one nonce (speed-ups, a cancel): any of them may win. */
struct transaction {
    struct effect effect;
    enum tx_leg leg;
    uint64_t chain_id;
    bool has_nonce;
    uint64_t nonce; /* the wallet's sequence number, where the chain counts one */
    enum tx_kind kind;
    struct tx_hash hash; /* none until who signs first has signed */
    const uint8_t *raw;  /* signed bytes */
    size_t raw_len;
    uint64_t expiry; /* the last block height or Unix second that takes it, as the chain counts; 0: no end */
    uint64_t gas_limit;
    struct u256 max_fee, priority_fee, value;
    struct address_bytes token; /* it spends or allows this much of a token, through this spender; or none */
    struct address_bytes spender;
    struct u256 token_amount;
    uint64_t block_number; /* 0: none */
    const char
        *submit_via; /* by which its provider accepts it, signed (exec/submit_via.h); NULL: only nodes do */
};

enum { VENUE_REF_MAX = 100 };

/* A body that the wallet's key has signed for a venue, which takes it at most once: by its key, and by the
 * signer's nonce where the venue counts one. */
struct venue_request {
    struct effect effect;
    char venue[33];
    /* By which the venue tells it from others: most often the digest that was signed. */
    uint8_t venue_key[32];
    const uint8_t *signing_key; /* address or public key */
    size_t signing_key_len;
    bool has_nonce;
    uint64_t nonce;
    const uint8_t *body;
    size_t body_len;
    int64_t expires_ms; /* the venue refuses it afterwards; 0: it knows no end */
    int64_t unknown_ms; /* when the venue first said, past its end, that it does not know it; 0: not yet */
    char venue_ref[VENUE_REF_MAX + 1]; /* the venue's own id of it, given when it took it; "": none */
    struct tx_hash tx_hash; /* of the transaction by which the venue carries it out, as far as it has said */
    /* The venue's last refusal; NULL: none. It may have been about bytes that arrived twice. */
    const char *refusal_code, *refusal;
    const void *order; /* not stored: the plan's, while its maker sends it; else NULL */
};

const char *tx_kind_text(enum tx_kind k);
/* The same, and "revocation" for a cancel that takes an allowance back. */
const char *transaction_text(const struct transaction *t);
/* Its state, as agents are shown it. */
const char *transaction_status_text(const struct transaction *t);

#endif
