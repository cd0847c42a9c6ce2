/* A withdrawal from what was asked for to its plan: what carrying it out and simulating it have in common. */
#ifndef TRANSFER_WITHDRAWAL_PLAN_H
#define TRANSFER_WITHDRAWAL_PLAN_H

#include "exec/action.h"
#include "model/withdrawal.h"
#include "transfer/withdrawal.h"

struct withdrawal_op {
    struct action_op op;
    struct withdrawal_address to;
    const struct chain *chain;
    struct token_ref token;
    bool simulates; /* an address that waits is let pass */
    bool native, all;
    struct u256 amount; /* of all: what the wallet held when it was looked at */
};

/* Whom, what and from where: ctx, arena and agent are set. `asked` is a struct withdrawal_asked. */
const struct err *withdrawal_op_begin(void *op, const void *asked);
/* Then the plan, for which nodes may be asked. */
const struct err *withdrawal_op_plan(struct withdrawal_op *w);

#endif
