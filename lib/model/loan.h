/* An act of a wallet at a lender: plain facts, for all lenders. */
#ifndef MODEL_LOAN_H
#define MODEL_LOAN_H

#include <stdbool.h>

#include "codec/hash.h"
#include "codec/u256.h"
#include "model/execution.h"

enum loan_act {
    LOAN_SUPPLY,
    LOAN_WITHDRAW,
    LOAN_BORROW,
    LOAN_REPAY,
    LOAN_PLEDGE,     /* as collateral that earns nothing */
    LOAN_RELEASE,    /* such collateral */
    LOAN_COLLATERAL, /* whether what is supplied serves as collateral: `amount` is 1, or 0 */
};

struct loan {
    enum loan_act act;
    char lender[TOKEN_ADDR_MAX]; /* its contract; addresses are as the chain writes them */
    char asset[TOKEN_ADDR_MAX];
    struct u256 amount;       /* in smallest units; LOAN_ALL where the lender knows that */
    struct u256 shares;       /* of a market, in place of an amount */
    uint8_t market[HASH_LEN]; /* Morpho's id; zeros: the lender has no markets */
};

static const struct u256 LOAN_ALL = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

/* "supply" */
const char *loan_act_text(enum loan_act act);
/* Whether the lender takes the asset from the wallet. */
bool loan_takes(const struct loan *l);
/* Whether `amount` says how much of it moves: not where it is all, or counted in shares. */
bool loan_is_exact(const struct loan *l);
bool loan_has_market(const struct loan *l);
bool loan_equal(const struct loan *a, const struct loan *b);

#endif
