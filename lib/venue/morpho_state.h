/* The state of Morpho Blue's markets: questions to its contracts, readers of the answers, and the interest
 * that the contract would add if it were called now. */
#ifndef VENUE_MORPHO_STATE_H
#define VENUE_MORPHO_STATE_H

#include "venue/morpho_calls.h"

enum { MORPHO_PLACES = 18 }; /* of shares of one, and of rates a second */

/* Zero addresses: there is no such market. */
void morpho_ask_terms(struct buf *out, const uint8_t id[static HASH_LEN]);
bool morpho_read_terms(struct morpho_market *out, const uint8_t *data, size_t len);

struct morpho_state {
    struct u256 supplied, supply_shares, borrowed, borrow_shares; /* smallest units; shares of them */
    uint64_t updated_s;                                           /* interest is added up to then */
    struct u256 fee;                                              /* the part of it that lenders do not get */
};
void morpho_ask_state(struct buf *out, const uint8_t id[static HASH_LEN]);
bool morpho_read_state(struct morpho_state *out, const uint8_t *data, size_t len);

/* One word each: the interest a second, of the contract that sets the market's rates; the oracle's price. */
void morpho_ask_rate(struct buf *out, const struct morpho_market *m, const struct morpho_state *s);
void morpho_ask_price(struct buf *out);

/* A wallet's balances in a market: shares, which morpho_supplied and morpho_borrowed convert to smallest
 * units, and the collateral token. */
struct morpho_holding {
    struct u256 supply_shares, borrow_shares, collateral;
};
void morpho_ask_holding(struct buf *out, const uint8_t id[static HASH_LEN], struct evm_addr wallet);
bool morpho_read_holding(struct morpho_holding *out, const uint8_t *data, size_t len);
/* Rounded down and up, as the contract does. False on overflow. */
bool morpho_supplied(struct u256 *out, const struct morpho_state *s, struct u256 shares);
bool morpho_borrowed(struct u256 *out, const struct morpho_state *s, struct u256 shares);

/* In smallest units of the loan token: what so much collateral is worth at the oracle's price, and how much
 * may be owed for that. False on overflow. */
bool morpho_worth(struct u256 *out, struct u256 collateral, struct u256 price);
bool morpho_limit(struct u256 *out, struct u256 worth, const struct morpho_market *m);
/* The health factor, of 10^18; zero without debt. */
struct u256 morpho_health(struct u256 limit, struct u256 debt);

/* Makes the market add the interest up to now, for reads after it in the same call. */
void morpho_ask_accrual(struct buf *out, const struct morpho_market *m);
/* Adds the interest up to `now_s`. False on overflow. */
bool morpho_accrue(struct morpho_state *s, struct u256 rate, uint64_t now_s);

#endif
