/* What a policy says: its params, read from a request or from the database and checked alike. */
#ifndef POLICY_RULE_H
#define POLICY_RULE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/params.h"
#include "model/amount.h"
#include "model/policy.h"

enum { POLICY_LIST_MAX = 32, POLICY_PARAMS_MAX = 3072 /* so that a line of the audit log holds it */ };

extern const struct param policy_params[]; /* of a policy's params, of every type */
extern const char *const policy_types[];   /* as requests name them, ending with NULL */

bool policy_type_parse(enum policy_type *out, const char *text);
const char *policy_type_text(enum policy_type t);

/* Of spending and approval limits. */
struct policy_limit {
    const char *max_usd, *max_wei, *max_amount; /* one of the three */
    const char *token;                          /* of max_amount: symbol or address */
    uint64_t window_s;                          /* 0: each execution for itself */
    struct u256 cap; /* the one that is given; dollars and tokens with 18 places, ether in wei */
};

/* Of whitelists; NULL: any. */
struct policy_lists {
    const char *const *addresses, *const *chains, *const *tokens;
};

/* Of execution limits. */
struct policy_bounds {
    uint32_t max_slippage; /* millionths; one: any */
    const char *max_gas_wei, *max_gas_usd;
    struct u256 gas_wei, gas_usd; /* the same as numbers, 18 places */
};

struct policy_rule {
    enum policy_type type;
    /* the one of the type counts */
    struct policy_limit limit;
    struct policy_lists lists;
    struct policy_bounds bounds;
};

/* Reads params (borrowed); faults are named "params.…". False when there are some. */
bool policy_read(struct policy_rule *out, enum policy_type type, const json_t *params, struct arena *a,
                 struct param_faults *faults);
/* The same of what is stored, checked again. */
bool policy_read_stored(struct policy_rule *out, const struct policy *p, struct arena *a);

/* Params that were read without a fault, as they are kept and shown: chains by their keys, amounts without
 * needless digits. The text is in the arena. */
char *policy_params_text(struct arena *a, json_t *params);

#endif
