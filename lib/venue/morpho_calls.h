/* Morpho Blue: markets of one token that is lent against another one, all in one contract. Everything is for
 * the wallet itself, and nothing is called back. */
#ifndef VENUE_MORPHO_CALLS_H
#define VENUE_MORPHO_CALLS_H

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
#include "codec/hash.h"
#include "codec/u256.h"
#include "venue/contracts.h"

struct morpho_market {
    struct evm_addr loan, collateral, oracle, rates; /* `rates`: the contract that sets them */
    struct u256 lltv;                                /* of 10^18 */
};

/* An amount in smallest units, or shares of the market; the other one is zero. */
struct morpho_quantity {
    struct u256 amount, shares;
};

/* Writes the market's words, which come first in calls. */
void morpho_market_words(struct buf *out, const struct morpho_market *m);
void morpho_market_id(uint8_t out[static HASH_LEN], const struct morpho_market *m);

void morpho_supply(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                   struct evm_addr wallet);
void morpho_withdraw(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                     struct evm_addr wallet);
void morpho_borrow(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                   struct evm_addr wallet);
void morpho_repay(struct buf *out, const struct morpho_market *m, struct morpho_quantity q,
                  struct evm_addr wallet);
void morpho_pledge(struct buf *out, const struct morpho_market *m, struct u256 amount,
                   struct evm_addr wallet);
void morpho_release(struct buf *out, const struct morpho_market *m, struct u256 amount,
                    struct evm_addr wallet);

extern const struct contract_kind morpho_blue;

#endif
