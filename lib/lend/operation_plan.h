/* An operation from what was asked for to its plan: what carrying it out and simulating it have in common. */
#ifndef LEND_OPERATION_PLAN_H
#define LEND_OPERATION_PLAN_H

#include "exec/spend_facts.h"
#include "lend/operation.h"
#include "lend/stand.h"
#include "model/loan.h"

struct lend_op {
    struct action_op op;
    bool simulates; /* the wallet's health before is wanted for every operation */
    struct lend_place place;
    enum loan_act act;
    struct token_ref token; /* that is moved */
    bool wraps;             /* it comes from the chain's coin */
    bool everything;        /* all that there is, and not `amount` */
    bool closes;            /* nothing is owed afterwards, and more may be allowed than is taken */
    bool enabled;
    struct u256 amount; /* of everything: how much that was when it was looked at */
    struct u256 gives;  /* at most: what leaves the wallet */
    struct lend_stand before;
    struct u256 least_health; /* that was shown to the operator who approved it; zero: only the settings'
                                 counts */
    struct loan loan;
};

/* Finds place, operation and wallet: ctx, arena, agent and kind are set. `asked` is a struct lend_asked. */
const struct err *lend_op_begin(void *op, const void *asked);
/* Then the plan, for which the chain may be asked. */
const struct err *lend_op_plan(struct lend_op *l);

/* The wallet's state after the steps of a simulation. False when it is not known. */
bool lend_op_after(struct lend_stand *out, const struct lend_op *l, const struct chain_state *st);
/* Whether it may take the health factor down, for which all that is in progress has to be seen. */
bool lend_op_risks(const struct lend_op *l);
/* The facts for policies in addition to the plan: the wallet's health afterwards. */
void lend_op_spend_facts(struct spend_facts *o, const struct lend_op *l, const struct chain_state *st);
/* NULL when all that must hold behind the steps does, else the refusal. */
const struct err *lend_op_verdict(const struct lend_op *l, const struct chain_state *st);
/* The refusal to tell for that of the engine. */
const struct err *lend_op_refusal(const struct lend_op *l, const struct chain_state *st, const struct err *e);
/* The same, or that operation `id` of the wallet, which has not ended, has to be waited for: the chain does
 * not show yet what it does. Reads the database. */
const struct err *lend_op_explain(const struct lend_op *l, const struct chain_state *st, const struct err *e);
const struct err *lend_op_in_progress(const struct lend_op *l, uint64_t id);

#endif
