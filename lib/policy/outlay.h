/* What an execution takes out of a wallet: plain facts for the wallet's policies, whatever its kind, its
 * venue or its chain's family. */
#ifndef POLICY_OUTLAY_H
#define POLICY_OUTLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/amount.h"
#include "model/execution.h"

/* A figure is missing when no policy needs it, or when nobody can tell. All have 18 places. */
struct worth {
    bool has_usd, has_ether, has_gas_usd;
    bool prices_apart; /* that is why something is missing */
    struct u256 usd, ether;
    struct u256 gas_usd; /* of the fees */
};

struct outlay {
    uint64_t agent_id, wallet_id;
    enum exec_kind_id kind;
    const char *name; /* of its kind, as sentences have it: "swap" */
    const char *venue, *venue_class;
    struct token_ref from, to; /* what leaves the wallet, and what comes back for it */
    struct u256 amount_in;
    bool amount_unknown; /* then amount_in is a guess that no limit counts */
    /* Every address that receives value, an allowance or a signed promise: texts, ending with NULL. */
    const char *const *recipients;
    struct ppm slippage;
    struct u256 fees;   /* at most, of all its transactions; in smallest units of the chain's coin */
    bool approved;      /* by the operator, on these terms */
    struct worth worth; /* filled by policy_value */
    bool unlimited;     /* likewise, unless it is set before: the wallet had no policy */
};

#endif
