/* An operation of a wallet at a lender: it supplies, withdraws, borrows or repays, or sets whether its supply
 * serves as collateral. Each is a kind of execution (exec/kind.h), carried out and followed as all are; only
 * the wallet itself gets anything by it. */
#ifndef LEND_OPERATION_H
#define LEND_OPERATION_H

#include "exec/commit.h"
#include "exec/kind.h"
#include "exec/simulation.h"
#include "lend/place.h"
#include "model/agent.h"
#include "model/lend_operation.h"

#define LEND_MAX "max"

struct lend_asked {
    enum exec_kind_id kind;
    struct lend_named named;    /* with a market, `asset` may name the chain's coin, to be wrapped */
    const char *amount;         /* a decimal, or LEND_MAX of what is withdrawn or repaid */
    bool collateral;            /* Morpho's: collateral is supplied or withdrawn, and not the loan token */
    bool enabled;               /* KIND_LEND_COLLATERAL: whether it serves as one from then on */
    const char *wallet_address; /* NULL: the agent's oldest */
};

/* `note` NULL: none. */
const struct err *lend_make(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                            const struct lend_asked *asked, const struct commit_note *note,
                            struct commit_result *out);
/* Goes on with one of that kind that the operator has approved, on its terms: with no lower health factor
 * than was shown. */
const struct err *lend_make_approved(const struct ctx *ctx, struct arena *a, const struct agent *agent,
                                     enum exec_kind_id kind, const char *approval_id,
                                     const struct commit_note *note, struct commit_result *out);

/* The agent's, by its number. */
enum lookup lend_operation_get(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                               struct execution *out);

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
                                const struct lend_asked *asked, struct lend_simulation *out);

/* ---- as it is shown ---- */

/* The members of one; with all its transactions if `detailed`. */
void lend_operation_write(struct json_writer *w, const struct execution_shown *x, bool detailed);
/* A health factor of 10^18, as a number. */
void lend_health_write(struct json_writer *w, const char *key, bool known, struct u256 health);
/* Writes dollars in the same way. */
void lend_usd_write(struct json_writer *w, const char *key, bool known, struct amount usd);

/* ---- of the kinds' rows ---- */

bool lend_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own);
void lend_view(struct json_writer *w, const struct execution_shown *x);
const char *lend_sentence(struct arena *a, const struct execution_shown *x);
const char *lend_terms(struct arena *a, const struct execution_shown *x);

#endif
