/* A withdrawal from what was asked for to its plan: what carrying it out and simulating it have in common. */
#ifndef TRANSFER_WITHDRAWAL_PLAN_H
#define TRANSFER_WITHDRAWAL_PLAN_H

#include "exec/plan.h"
#include "model/agent.h"
#include "model/wallet.h"
#include "model/withdrawal.h"
#include "transfer/withdrawal.h"

struct withdrawal_op {
    const struct ctx *ctx;
    struct arena *arena;
    const struct agent *agent;
    struct uuid once;
    struct withdrawal_address to;
    struct wallet wallet;
    const struct chain *chain;
    struct token_ref token;
    bool simulates; /* an address that waits is let pass */
    bool native, all;
    struct u256 amount; /* of all: what the wallet held when it was looked at */
    struct plan plan;
};

/* Whom, what and from where; the first three members are set. */
const struct err *withdrawal_op_begin(struct withdrawal_op *w, const struct withdrawal_asked *asked);
/* Then the plan, for which nodes may be asked. */
const struct err *withdrawal_op_plan(struct withdrawal_op *w);

#endif
