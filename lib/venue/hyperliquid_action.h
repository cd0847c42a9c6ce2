/* Actions of an account at Hyperliquid: those of trading, which the account's trading key signs, and those
 * that move or grant something, which its own key signs. The sent and the signed form of each are written
 * from one description. Pure. */
#ifndef VENUE_HYPERLIQUID_ACTION_H
#define VENUE_HYPERLIQUID_ACTION_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "venue/hyperliquid_format.h"

enum {
    HYPERLIQUID_CHAIN_ID = 1337, /* of the domain of trading; no chain of the table */
    HYPERLIQUID_DOLLAR_PLACES = 6,
    HYPERLIQUID_ORDERS_MAX = 16,
    HYPERLIQUID_CLOID_LEN = 16,
    HYPERLIQUID_NAME_MAX = 16,
    HYPERLIQUID_SPOT_ASSETS = 10000, /* from here on no asset is one of the venue's own perpetuals */
};
#define HYPERLIQUID_DOLLAR "USDC"

/* Messages have these numbers: none is ever used for anything else. */
enum hyperliquid_kind {
    HYPERLIQUID_ORDER = 1,
    HYPERLIQUID_CANCEL = 2, /* by cloid */
    HYPERLIQUID_LEVERAGE = 3,
    HYPERLIQUID_SCHEDULE = 4, /* the cancellation of all */
    HYPERLIQUID_NOOP = 5,     /* uses a nonce up */
    HYPERLIQUID_APPROVE = 6,  /* a trading key */
    HYPERLIQUID_WITHDRAW = 7, /* by the bridge, to Arbitrum */
    HYPERLIQUID_CLASS_TRANSFER = 8,
    HYPERLIQUID_SEND = 9, /* to a chain, by Circle's CCTP */
};

enum hyperliquid_order_kind {
    HYPERLIQUID_GTC,
    HYPERLIQUID_IOC,
    HYPERLIQUID_ALO,
    HYPERLIQUID_TAKE_PROFIT, /* triggers; so the next */
    HYPERLIQUID_STOP_LOSS,
};

enum hyperliquid_grouping {
    HYPERLIQUID_ALONE,
    HYPERLIQUID_PARENT_FIRST,  /* its triggers behind it */
    HYPERLIQUID_OF_A_POSITION, /* triggers alone; a size of 0 is all of it */
};

/* Prices and sizes: venue/hyperliquid_format.h. */
struct hyperliquid_order {
    uint32_t asset; /* index in the venue's universe */
    bool buy;
    bool reduce_only;
    uint64_t price, size;
    enum hyperliquid_order_kind kind;
    uint64_t trigger_price; /* of triggers; so the next */
    bool trigger_is_market;
    bool has_cloid;
    uint8_t cloid[HYPERLIQUID_CLOID_LEN];
};

struct hyperliquid_cancel {
    uint32_t asset;
    uint8_t cloid[HYPERLIQUID_CLOID_LEN];
};

struct hyperliquid_leverage {
    uint32_t asset;
    bool cross; /* otherwise isolated */
    uint32_t leverage;
};

struct hyperliquid_approval {
    struct evm_addr key;
    char name[HYPERLIQUID_NAME_MAX + 1]; /* letters, digits and hyphens; "": the unnamed one */
    uint64_t valid_until;                /* milliseconds; 0: as long as the venue gives it */
};

/* A transfer of dollars, in 10^-8. */
struct hyperliquid_transfer {
    uint64_t amount;
    struct evm_addr recipient; /* WITHDRAW, SEND */
    bool to_perp;              /* CLASS_TRANSFER; otherwise to spot */
    bool from_spot;            /* SEND; so the next */
    uint32_t domain;           /* CCTP's number of the chain */
    uint64_t gas_limit;
};

/* The members of its kind are set, among those after `expires_after`. */
struct hyperliquid_action {
    enum hyperliquid_kind kind;
    bool testnet;
    uint64_t nonce;         /* milliseconds */
    uint64_t expires_after; /* milliseconds; 0: never. Only of trading */
    enum hyperliquid_grouping grouping;
    size_t count; /* of orders or cancels */
    struct hyperliquid_order orders[HYPERLIQUID_ORDERS_MAX];
    struct hyperliquid_cancel cancels[HYPERLIQUID_ORDERS_MAX];
    struct hyperliquid_leverage leverage;
    uint64_t schedule; /* milliseconds; 0: nothing is scheduled any more */
    struct hyperliquid_approval approval;
    struct hyperliquid_transfer transfer;
};

/* Whether the trading key signs it; otherwise the account's own. */
bool hyperliquid_is_trading(enum hyperliquid_kind kind);
/* The venue's name of the kind: "order", "withdraw3". */
const char *hyperliquid_kind_text(enum hyperliquid_kind kind);
bool hyperliquid_is_trigger(const struct hyperliquid_order *o);

enum { HYPERLIQUID_ACTION_MAX = 8 * 1024 }; /* as JSON */
/* The JSON of the action itself, and of all that is POSTed to /exchange. `sig`: r, s, 27 or 28. */
void hyperliquid_action_json(struct buf *out, const struct hyperliquid_action *a);
void hyperliquid_body(struct buf *out, const struct hyperliquid_action *a, const uint8_t sig[static 65]);
/* The digest that is signed. */
void hyperliquid_action_digest(uint8_t out[static HASH_LEN], const struct hyperliquid_action *a);

#endif
