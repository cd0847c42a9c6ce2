/* Wallet policies: limits that an agent or the operator sets to what a wallet gives away. All of a wallet's
 * policies must allow a swap; what cannot be read or valued is refused. They are decided inside the
 * transaction that signs, under the wallet's lock, so that no two swaps pass on the same remainder. Speeding
 * up or cancelling a signed swap is no new decision: nothing is asked again.
 *
 * Limits count what is given, on all chains together: in dollars (the highest of the pools' price, their
 * average of late and the feed's), in wei of ether (ether and wrapped ether as they are, everything else by
 * its price in dollars), or in one token's own units. Fees are no part of them and have a limit of their own.
 * A sum holds what was signed within the window and since the policy exists; swaps that have failed for good
 * do not count. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/params.h"
#include "exec/evm/plan.h"
#include "model/policy.h"
#include "model/quote.h"
#include "model/wallet.h"
#include "service/ctx.h"
#include "store/db.h"

enum { POLICY_LIST_MAX = 32, POLICY_PARAMS_MAX = 3072 /* so that a line of the audit log holds it */ };

extern const struct param policy_params[]; /* of a policy's params */
extern const char *const policy_types[];   /* as requests name them, ending with NULL */

bool policy_type_parse(enum policy_type *out, const char *text);
const char *policy_type_text(enum policy_type t);

/* What a policy says. */
struct policy_rule {
    enum policy_type type;
    /* of limits: one of the three */
    const char *max_usd, *max_wei, *max_amount;
    const char *token; /* of max_amount: symbol or address */
    uint64_t window_s; /* 0: each swap for itself */
    struct u256 cap;   /* the one that is given; dollars and tokens with 18 places, ether in wei */
    /* of whitelists; NULL: any */
    const char *const *addresses, *const *chains, *const *tokens;
    /* of execution limits */
    uint32_t max_slippage; /* millionths; one: any */
    const char *max_gas_wei, *max_gas_usd;
    struct u256 gas_wei, gas_usd; /* the same as numbers, 18 places */
};

/* Reads params (borrowed); faults are named "params.…". False when there are some. */
bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params, struct arena *a,
                 struct param_faults *faults);

/* Params that were read without a fault, as they are kept and shown: chains by their keys, amounts without
 * needless digits. The text is in the arena. */
char *policy_params_text(struct arena *a, json_t *params);

/* A swap as policies see it. */
struct policy_case {
    const struct quote *quote;
    const struct plan *plan;
    const struct wallet *wallet;
    struct u256 fees; /* wei that all its transactions may cost at most */
    bool approved;    /* by the operator, on these terms */
    /* filled by policy_value; what nobody asked for, or nobody could say, is missing */
    bool has_usd, has_ether, has_gas_usd;
    bool prices_apart;               /* that is why */
    struct u256 usd, ether, gas_usd; /* 18 places */
};

/* Before the transaction, as it may ask for prices: what the wallet's policies want to know about the swap.
 * False when the database failed. */
bool policy_value(const struct ctx *ctx, struct arena *a, struct policy_case *c);

enum policy_verdict {
    POLICY_BROKEN, /* the database failed */
    POLICY_FREE,   /* no policy is in force */
    POLICY_ALLOWS,
    POLICY_ASKS, /* the operator has to approve it */
    POLICY_REFUSES,
};

/* Inside the transaction, under the wallet's lock (elsewhere it is an estimate). *why is the refusal, or for
 * POLICY_ASKS what to tell the operator. */
enum policy_verdict policy_decide(struct db *db, struct arena *a, const struct policy_case *c,
                                  const struct err **why);
/* In the same transaction, for what was allowed. */
bool policy_spent(struct db *db, const struct policy_case *c, uint64_t execution_id);

#endif
