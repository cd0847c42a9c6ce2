/* An operation of a wallet at a lender: it supplies, withdraws, borrows or repays, or sets whether its supply
 * serves as collateral. Each is a kind of execution (exec/kind.h), carried out and followed as all are; only
 * the wallet itself gets anything by it. */
#ifndef LEND_OPERATION_H
#define LEND_OPERATION_H

#include "exec/action.h"
#include "exec/simulation.h"
#include "lend/place.h"
#include "model/lend_operation.h"

#define LEND_MAX "max"

struct lend_asked {
    struct action_asked by;
    struct lend_named named;    /* with a market, `asset` may name the chain's coin, to be wrapped */
    const char *amount;         /* a decimal, or LEND_MAX of what is withdrawn or repaid */
    bool collateral;            /* Morpho's: collateral is supplied or withdrawn, and not the loan token */
    bool enabled;               /* KIND_LEND_COLLATERAL: whether it serves as one from then on */
    const char *wallet_address; /* NULL: the agent's oldest */
};

extern const struct exec_kind lend_supply_kind, lend_withdraw_kind, lend_borrow_kind, lend_repay_kind,
    lend_collateral_kind;

/* ---- a simulation: nothing is signed, taken or reserved ---- */

enum { LEND_CHECKS = 6 };

struct lend_simulation {
    struct check checks[LEND_CHECKS];
    bool would_execute;
    bool has_before, has_after; /* health factors, of 10^18: known, and there is debt */
    struct u256 before, after;
    bool has_usd;
    struct amount gas_usd; /* of the fees at most */
};

const struct err *lend_simulate(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                enum exec_kind_id kind, const struct lend_asked *asked,
                                struct lend_simulation *out);

/* ---- as it is shown ---- */

/* A health factor of 10^18, as a number. */
void lend_health_write(struct json_writer *w, const char *key, bool known, struct u256 health);
/* Writes dollars in the same way. */
void lend_usd_write(struct json_writer *w, const char *key, bool known, struct amount usd);

#endif
