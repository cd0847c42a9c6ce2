/* An order on a prediction market, from its placing to the last of its trades. */
#ifndef MODEL_ORDER_H
#define MODEL_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/hash.h"
#include "codec/u256.h"

enum { ORDER_MARKET_MAX = 20 + 1, ORDER_ID_LEN = 2 + 2 * HASH_LEN };

/* Prices are ten-thousandths of a dollar and sizes hundredths of a share. What was matched, paid and may be
 * paid is counted in millionths: the smallest units of shares and of collateral. */
enum {
    ORDER_PRICE_ONE = 10000,
    ORDER_PRICE_PLACES = 4,
    ORDER_SIZE_PLACES = 2,
    ORDER_UNIT_PLACES = 6,
    ORDER_SIZE_UNITS = 10000, /* of a hundredth of a share */
};

/* The venue of an order. */
enum order_venue { ORDERS_OF_PREDICTION, ORDERS_OF_PERPS, ORDER_VENUES };

enum order_side { ORDER_BUY = 0, ORDER_SELL = 1 };

enum order_type {
    ORDER_GTC = 1, /* rests until it is cancelled */
    ORDER_GTD = 2, /* or until its expiration */
    ORDER_FOK = 3, /* all at once, or nothing */
    ORDER_FAK = 4, /* what is possible at once */
};

enum order_status {
    ORDER_PENDING = 1, /* nothing definite is known of it yet */
    ORDER_OPEN = 2,    /* the venue has it */
    ORDER_FILLED = 3,
    ORDER_CANCELLED = 4, /* or expired; parts of it may have been filled */
    ORDER_REJECTED = 5,  /* never taken, and never will be */
    ORDER_WAITING = 6,   /* for the operator's approval: not signed, without a hash, and shown nowhere */
};

bool order_has_ended(enum order_status s); /* filled, cancelled or rejected */
bool order_is_open(enum order_status s);   /* pending or open: there is something to cancel */

struct order {
    uint64_t execution_id, agent_id, wallet_id;
    bool has_hash;
    uint8_t hash[HASH_LEN]; /* its id */
    char market[ORDER_MARKET_MAX];
    uint8_t condition[HASH_LEN];
    struct u256 token;
    const char *outcome, *question;
    uint8_t exchange; /* enum polymarket_exchange */
    enum order_side side;
    enum order_type type;
    bool post_only;
    uint32_t price;
    uint64_t size;
    int64_t expires_ms;              /* GTD; else 0 */
    uint64_t fee_most;               /* that a full fill may cost */
    uint32_t fee_rate, fee_exponent; /* its market's, of takers (predict/clob_private.h) */
    enum order_status status;
    uint64_t matched;                       /* shares */
    uint64_t paid;                          /* collateral for these */
    uint64_t settled;                       /* of the matched ones, for good */
    bool final;                             /* nothing of it can change any more */
    const char *error_code, *error_message; /* of a rejected one; else NULL */
    int64_t cancel_requested_ms;            /* 0: not */
    int64_t polled_ms;                      /* since when it is missed, or is not any more; 0: it never was */
    unsigned missed;                        /* 1: the last poll did not find it */
    int64_t created_ms, updated_ms;
};

/* A trade of it. */
enum fill_state { FILL_MATCHED = 1, FILL_MINED = 2, FILL_CONFIRMED = 3, FILL_FAILED = 4 };

struct fill {
    uint64_t execution_id;
    const char *trade;   /* the venue's id of it */
    uint32_t price;      /* as an order's */
    uint64_t size, paid; /* in units */
    uint64_t fee;        /* in units of collateral */
    bool maker;
    enum fill_state state;
    bool has_tx;
    uint8_t tx_hash[HASH_LEN];
    int64_t at_ms;
};

const char *order_side_text(enum order_side s);     /* "BUY" */
const char *order_type_text(enum order_type t);     /* "GTC" */
const char *order_status_text(enum order_status s); /* "pending" */
/* In any case of letters. */
bool order_side_parse(enum order_side *out, const char *text);
bool order_type_parse(enum order_type *out, const char *text);
/* One that is shown. */
bool order_status_parse(enum order_status *out, const char *text);

/* "0x" and 64 digits, in the arena. */
char *order_id_text(struct arena *a, const uint8_t hash[static HASH_LEN]);
bool order_id_parse(uint8_t out[static HASH_LEN], const char *text);

/* A purchase that is matched at once or not at all asks for money: it spends its cost, in whole cents, and
 * brings more shares where the price is better. Any other order asks for shares. */
bool order_spends(const struct order *o);
/* The shares and the collateral that a whole fill moves at its price; for an order that spends, the least
 * number of shares. */
uint64_t order_shares(const struct order *o);
uint64_t order_cost(const struct order *o);
/* Whether what was matched is all of it: what cannot be traded any more does not count as left. */
bool order_is_whole(const struct order *o, uint64_t matched, uint64_t paid);

/* The amount that it may still take out of its wallet: collateral with the fee, or shares. `since_settled`:
 * whether settled fills count as well, for a balance that was read before. Pure. */
uint64_t order_holds(const struct order *o, bool since_settled);
/* The proceeds of its trades that the balance does not show yet: shares, or collateral at its price. */
uint64_t order_brings(const struct order *o, bool since_settled);

#endif
