/* The checks of an execution before it signs, as a list for agents that only ask: nothing is signed, taken or
 * reserved. Each market puts its simulation together from these checks and its own. */
#ifndef EXEC_SIMULATION_H
#define EXEC_SIMULATION_H

#include "exec/plan.h"
#include "model/wallet.h"
#include "policy/decide.h"
#include "service/ctx.h"
#include "store/transactions.h"

enum check_status {
    CHECK_PASS,
    CHECK_WARN,        /* it would be executed, but deserves a poll */
    CHECK_FAIL,        /* it would be refused */
    CHECK_UNAVAILABLE, /* not checked: no answer */
};

struct check {
    const char *name;
    enum check_status status;
    const char *detail; /* for people */
    bool unverified;    /* checked only in part */
};

const char *check_status_text(enum check_status s);
void check_set(struct check *c, enum check_status status, const char *detail);
/* Whether it would be executed: none has failed or was unavailable. */
bool checks_pass(const struct check *list, size_t count);

/* A plan that was tried. */
struct simulation {
    /* The caller's: */
    const struct ctx *ctx;
    struct arena *arena;
    const struct plan *plan;
    const struct chain_state *state;
    const struct wallet *wallet; /* NULL: none that the service manages, of which nothing is reserved */
    /* Then simulation_begin's: */
    struct reservation reserved; /* by what is in progress */
    bool has_costs;              /* false: they fit into no amount */
    struct u256 value, fees;     /* of the coin, at most: what the steps carry, and what they cost */
};

/* False: the database failed. */
MUST_CHECK bool simulation_begin(struct simulation *r);

/* Each sets one check, with its detail in the arena. */

/* Checks that the wallet has `needed` of what leaves. */
void simulation_check_balance(const struct simulation *r, struct check *c, struct u256 needed);
/* The coin for `value` and `fees`. */
void simulation_check_gas(const struct simulation *r, struct check *c);
/* `ran` says what was tried, for a plan that passed. */
void simulation_check_run(const struct simulation *r, struct check *c, const char *ran);
/* The decision of policies on `o`, as spend_facts_estimate takes it. False: they could not be read. */
MUST_CHECK bool simulation_check_policies(const struct simulation *r, struct check *c, struct spend_facts *o);

#endif
