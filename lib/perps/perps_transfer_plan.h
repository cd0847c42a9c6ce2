/* Transfers on their way to a commit: what each kind's plan is made from, and the plan. */
#ifndef PERPS_PERPS_TRANSFER_PLAN_H
#define PERPS_PERPS_TRANSFER_PLAN_H

#include "perps/perps_transfer.h"

struct perps_margin_op {
    struct action_op op;
    const struct chain *chain;
    struct token_ref dollar; /* the chain's */
    bool everything;         /* that may leave: then the amount is the plan's to set */
    /* The kind's: */
    struct perps_transfer transfer; /* with the amount, unless it is everything */
    struct u256 at_hand;            /* of a withdrawal: what may leave, as the venue said ... */
    struct u256 gas;                /* ... what of that has to stay there ... */
    int64_t seen_ms;                /* ... then, by the database's clock */
};

/* Each fills in plan and transfer. NULL, or why not. */
const struct err *perps_deposit_plan(struct perps_margin_op *m);
const struct err *perps_withdrawal_plan(struct perps_margin_op *m);

/* E_PERPS_LEAST for less than is moved. */
const struct err *perps_transfer_least(struct u256 amount);
/* The rest of the available balance that the wallet's other withdrawals leave. False: the database failed. */
bool perps_withdrawal_left(const struct perps_margin_op *m, struct u256 *out);
/* E_BALANCE for more than is left. */
const struct err *perps_withdrawal_check(const struct perps_margin_op *m, struct u256 left);

#endif
