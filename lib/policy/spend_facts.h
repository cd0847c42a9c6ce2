/* The spend facts of an execution from a wallet: plain facts for the wallet's policies, for all kinds, venues
 * and families of chains. */
#ifndef POLICY_SPEND_FACTS_H
#define POLICY_SPEND_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/amount.h"
#include "model/execution.h"

/* A figure is missing when no policy needs it, or when it is unknown. All have 18 places. */
struct worth {
    bool has_usd, has_ether, has_gas_usd;
    bool prices_apart; /* that is why something is missing */
    struct u256 usd, ether;
    struct u256 gas_usd; /* of the fees */
};

struct spend_facts {
    uint64_t agent_id, wallet_id;
    enum exec_kind_id kind;
    const char *name; /* of its kind, as sentences have it: "swap" */
    const char *venue, *venue_class;
    /* The token that leaves the wallet, or is borrowed, and the one that comes back for it; at a lender the
     * market's other token. */
    struct token_ref from, to;
    struct u256 amount_in;
    struct u256 amount_out; /* of `to`, at least; 0: nothing, or unknown */
    /* It is lent to the wallet: approval limits alone look at it, and count it for the next loan alone. */
    bool borrowed;
    bool amount_unknown; /* then amount_in is a guess that no limit counts */
    /* Every address that receives value, an allowance or a signed promise: texts, ending with NULL. */
    const char *const *recipients;
    struct ppm slippage;
    struct u256 fees; /* at most, of all its transactions; in smallest units of the chain's coin */
    /* A lender's account is left with debt and is less healthy than before: its health factor then, of
     * 10^18. Without debt, and where it can only get healthier: none. */
    bool has_health;
    struct u256 health_after;
    /* An order for a perpetual: of what, so many times how much it binds there, and how much that is at most,
     * in dollars of 18 places with its fee. Nothing leaves the wallet for it. Without leverage, margin or
     * (NULL) all of it where it is something else, or unknown. */
    const char *asset;
    unsigned leverage;
    bool has_margin;
    struct u256 margin;
    bool approved;      /* by the operator, on these terms */
    struct worth worth; /* filled by policy_value */
    bool unlimited;     /* filled by policy_value, unless it is set before: the wallet had no policy */
};

#endif
