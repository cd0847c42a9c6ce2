/* The state of a wallet in a market at one moment: one question to the chain, and the reader of its
 * answer. */
#ifndef LEND_STAND_H
#define LEND_STAND_H

#include "base/buf.h"
#include "lend/place.h"

struct lend_stand {
    struct u256 supplied, borrowed;           /* smallest units of the loan token, interest included */
    struct u256 supply_shares, borrow_shares; /* Morpho's */
    struct u256 collateral;                   /* Morpho's, in its own units */
    bool has_health;                          /* there is debt, and the health factor, of 10^18, is: */
    struct u256 health;
    struct u256 at_hand;   /* of the token that is moved */
    struct u256 allowance; /* of it, to the lender */
};

/* Calldata of Multicall3. `token` is what is moved. */
void lend_stand_ask(struct buf *out, const struct lend_place *p, const struct token_ref *token,
                    struct evm_addr wallet);
/* Reads its result. False when it is no such answer. */
bool lend_stand_read(struct lend_stand *out, const struct lend_place *p, const uint8_t *data, size_t len);

/* Asks a node now. Morpho's interest is up to now, whereas elsewhere it is up to the last call that added it.
 * E_UPSTREAM. */
const struct err *lend_stand_poll(const struct ctx *ctx, struct arena *a, const struct lend_place *p,
                                  const struct token_ref *token, struct evm_addr wallet,
                                  struct lend_stand *out);

#endif
