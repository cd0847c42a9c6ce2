/* The protocol of the signer's socket (SOCK_SEQPACKET, one packet per message): a request and its answer.
 * Integers are big-endian. The signer computes every digest itself: no message signs a digest. */
#ifndef SIGNER_SIGNER_MESSAGE_H
#define SIGNER_SIGNER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/chains.h"
#include "codec/hash.h"
#include "model/wallet.h"
#include "signer/address_record.h"

/* In signer_dir: its account of incidents (base/incident.h). */
#define SIGNER_INCIDENTS "log"

enum signer_op {
    SIGNER_PING = 1,
    SIGNER_CREATE = 2,
    SIGNER_SIGN = 3,
    SIGNER_SIGN_TRANSFER = 4, /* a plain transfer, with the operator's MAC */
    SIGNER_SIGN_MESSAGE = 5,  /* typed data of a venue, as fixed members */
    SIGNER_ALLOW_ADDRESS = 6,
    SIGNER_REMOVE_ADDRESS = 7,
    SIGNER_SIGN_WITHDRAWAL = 8, /* a plain transfer, with the record of its recipient */
    SIGNER_SIGN_ACTION = 9,     /* of a venue of perpetuals, as fixed members */
};

enum signer_status {
    SIGNER_OK = 0,
    SIGNER_BAD_MESSAGE = 1, /* cannot be decoded */
    SIGNER_REFUSED = 2,     /* decoded, but not signed: not its wallet, or not allowed */
    SIGNER_FAILED = 3,      /* the signer's own failure */
    SIGNER_LIMITED = 4,     /* allowed as such, and over a limit, or stopped by the operator */
    SIGNER_AWAY = 5,        /* client side only: no answer within the deadline */
};

/* Why something was not signed, for the counters. */
enum signer_rule {
    RULE_NONE,
    RULE_FORM,    /* not what is signed here, SIGNER_BAD_MESSAGE */
    RULE_WALLET,  /* not its wallet; so far SIGNER_REFUSED */
    RULE_ORDER,   /* no order of the operator */
    RULE_CALL,    /* nothing that a wallet may do */
    RULE_STOPPED, /* the kill switch; from here on SIGNER_LIMITED */
    RULE_CHAIN,   /* signer_chains */
    RULE_TOKEN,   /* signer_tokens */
    RULE_TX_MAX,
    RULE_DAY_MAX,
    RULE_FLOOR,
    RULE_SIGNER,           /* the signer's own failure, SIGNER_FAILED */
    RULE_ADDRESS,          /* no address that the agent may be paid at, SIGNER_REFUSED; so the next */
    RULE_WAITING,          /* one, but not yet */
    RULE_WITHDRAW_DAY_MAX, /* SIGNER_LIMITED; so the next */
    RULE_MARKET,           /* signer_markets */
    RULES
};

enum {
    SIGNATURE_MAX = 97,
    PROOF_MAX = 16 * 1024,
};

struct signature {
    uint8_t bytes[SIGNATURE_MAX]; /* EVM: r, s, y parity; 65 bytes */
    size_t len;
};

/* Pointers are borrowed. CREATE: only the wallet, its address empty; of a trading key the id is that of the
 * wallet that it trades for. ALLOW_ADDRESS and REMOVE_ADDRESS: no wallet. */
struct signer_request {
    enum signer_op op;
    struct wallet_ref wallet;
    uint8_t sealed[SEALED_LEN];
    enum chain_type family; /* what the payload is */
    /* EVM: the unsigned transaction, whole; a message: venue/polymarket_message.h; an action:
     * venue/hyperliquid_message.h */
    const uint8_t *payload;
    size_t payload_len;
    const uint8_t *proof; /* what shows that the payload is what it promises, where it does not itself */
    size_t proof_len;
    /* SIGN: whom a bridge pays on its far chain, if not the wallet itself: another wallet of the same
     * agent's, which its record shows. SIGN_ACTION: the trading key that is approved. */
    bool has_far_wallet;
    struct wallet_ref far_wallet;
    uint8_t far_sealed[SEALED_LEN];
    /* SIGN_TRANSFER; ALLOW_ADDRESS: where the operator spares the agent the wait. keys/operator_mac.h */
    bool has_operator_mac;
    uint8_t operator_mac[HASH_LEN];
    struct allowlist_address payee; /* ALLOW_ADDRESS, REMOVE_ADDRESS */
    const uint8_t *record;          /* REMOVE_ADDRESS, SIGN_WITHDRAWAL: signer/address_record.h */
    size_t record_len;
};

/* The signer's protection, and whether it signs: a set. */
enum {
    SIGNER_APART = 1,   /* the caller's user id is neither root's nor the signer's */
    SIGNER_LOCKED = 2,  /* all of its memory is kept out of swap */
    SIGNER_STOPPED = 4, /* by the operator's kill switch: nothing is signed */
    SIGNER_FULL = 8,    /* its audit file cannot be written: nothing is signed */
};

struct signer_answer {
    enum signer_status status;
    enum signer_rule rule;         /* unless SIGNER_OK; RULE_NONE: it does not say */
    uint8_t standing;              /* PING */
    char address[WALLET_ADDR_MAX]; /* CREATE */
    uint8_t sealed[SEALED_LEN];    /* CREATE */
    struct signature sig;          /* all that sign */
    struct address_record record;  /* ALLOW_ADDRESS */
    uint64_t wait_s;               /* ALLOW_ADDRESS: until it counts */
};

enum { SIGNER_MAX_MESSAGE = MAX_TX + PROOF_MAX + 512, SIGNER_MAX_ANSWER = 512 };

/* Adds the record of the wallet that a bridge pays; NULL: none. */
void signer_show_far(struct signer_request *rq, const struct wallet *far);
const char *signer_rule_text(enum signer_rule rule); /* "day_max" */
/* The answer's status by this rule; RULE_NONE: success. */
enum signer_status signer_rule_status(enum signer_rule rule);
void signer_request_write(struct buf *out, const struct signer_request *rq);
/* Payload, proof and record lead into p. */
bool signer_request_read(struct signer_request *out, const uint8_t *p, size_t n);
void signer_answer_write(struct buf *out, const struct signer_answer *an);
bool signer_answer_read(struct signer_answer *out, const uint8_t *p, size_t n);

#endif
