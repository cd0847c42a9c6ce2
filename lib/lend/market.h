/* A market in which tokens are lent, as its chain shows it, for all lenders. */
#ifndef LEND_MARKET_H
#define LEND_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json_writer.h"
#include "chain/chains.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "model/amount.h"

/* Bit n of `warnings` is the n-th of these. */
enum lend_warning {
    LEND_INACTIVE,
    LEND_PAUSED,
    LEND_FROZEN,
    LEND_SUPPLY_CAP,
    LEND_BORROW_CAP,
    LEND_ORACLE, /* it does not tell what collateral is worth */
    LEND_WARNINGS,
};

struct lend_market {
    const char *id, *protocol;
    const struct chain *chain;
    const char *loan, *collateral;                           /* symbols; "*": any that serves as one */
    struct evm_addr asset, oracle, irm, a_token, debt_token; /* zero: there is none */
    uint8_t decimals;                                        /* of the loan token */
    struct evm_addr collateral_asset;                        /* Morpho's; zero: none, or one of many */
    uint8_t collateral_decimals;                             /* AMOUNT_MAX_DECIMALS + 1: unknown */
    struct u256 supplied, borrowed;                          /* in its smallest units, interest included */
    struct amount price;                                     /* of one, in dollars */
    struct amount ltv, lltv;                                 /* up to what one may borrow, and owe */
    uint64_t supply_apy, borrow_apy;                         /* lend/apy.h */
    uint64_t supply_cap, borrow_cap;                         /* whole tokens; 0: none */
    bool can_supply, can_borrow, can_be_collateral;
    unsigned warnings;
    const char *more_warnings; /* of the lender's catalogue, a JSON array; NULL: none */
    int64_t created_ms;        /* as that says; 0: unknown */
    bool listed;               /* false: in no list, as its price or its rate is unknown; zero then */
};

/* Largest supply in dollars first. */
void lend_markets_sort(struct lend_market *list, size_t count);
/* An object with all there is to say, of which those named in lend_details are not for lists, and LEND_TERMS
 * is for operations alone (lend/place.h). */
void lend_market_write(struct json_writer *w, const struct lend_market *m);
extern const char *const lend_details[];
#define LEND_TERMS "terms"

/* A wallet's balances in a market: smallest units of the loan token, and of the collateral. */
struct lend_position {
    const struct evm_addr *owner;
    const struct lend_market *market;
    struct u256 supplied, borrowed;
    struct amount collateral;
    bool collateral_enabled;
    struct amount collateral_usd; /* known if `listed` is set in the market */
};

/* A wallet's account with a lender; dollars. */
struct lend_account {
    const struct evm_addr *owner;
    const char *protocol;
    const struct chain *chain;
    const char *market; /* id; "": all of the lender's on the chain */
    struct amount collateral, debt, available;
    struct amount ltv, threshold, health; /* the last one for those who have debt */
};

/* As a number, rounded down to so many places. */
void lend_number_write(struct json_writer *w, const char *key, struct amount v, uint8_t places);
enum { LEND_HEALTH_PLACES = 6 };

void lend_position_write(struct json_writer *w, const struct lend_position *p);
void lend_account_write(struct json_writer *w, const struct lend_account *k);
/* The members that say how it stands, into the object that is open. */
void lend_standing_write(struct json_writer *w, const struct lend_account *k);

/* The worth of smallest units of the loan token in dollars. */
struct amount lend_worth(const struct lend_market *m, struct u256 units);

/* The symbol of the token at the address: our own symbol, else its own if that is plain and not mistakable
 * for a listed one, else the address. `data` is the result of its symbol(). */
const char *lend_symbol(struct arena *a, const struct chain *c, struct evm_addr token, const uint8_t *data,
                        size_t len);

#endif
