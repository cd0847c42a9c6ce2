/* The operator's limits, which apply to all requests of a worker: which chains, what swaps may buy, in which
 * markets of lenders, the least that a trade has to bring, and how much of the chain's coin or of a token one
 * transaction, and all of a UTC day on this host, may take, and of that withdrawals. Settings: signer_chains,
 * signer_tokens, signer_markets, signer_floor, signer_floor_age_s, signer_tx_max.CHAIN, signer_day_max.CHAIN
 * and withdraw_day_max.CHAIN; for perpetuals, in dollars, perps_order_max, perps_day_max and
 * perps_withdraw_day_max, which are rows of HYPERLIQUID_DOLLAR on HYPERLIQUID_CHAIN_ID. What is not set is
 * not limited. */
#ifndef SIGNER_SIGNER_LIMITS_H
#define SIGNER_SIGNER_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/u256.h"
#include "service/conf.h"
#include "signer/min_output.h"
#include "venue/trade.h"

enum { LIMITS_MAX = 64, LIMITS_CHAINS_MAX = 32, LIMITS_MARKETS_MAX = 128 };

struct limits_market {
    uint64_t chain_id;
    uint8_t id[HASH_LEN];
};

struct limit {
    uint64_t chain_id;
    char token[TRADE_ADDRESS_MAX]; /* as the chain writes it; TRADE_COIN: the coin */
    bool withdrawn;                /* what withdrawals of a day take out; otherwise everything */
    bool per_tx, per_day;
    struct u256 tx_max, day_max; /* smallest units */
};

struct limits {
    bool some_chains; /* only those listed; otherwise all */
    uint64_t chains[LIMITS_CHAINS_MAX];
    size_t chain_count;
    bool listed_markets; /* only these are entered; otherwise all */
    struct limits_market markets[LIMITS_MARKETS_MAX];
    size_t market_count;
    bool own_tokens; /* swaps may buy only what chain/tokens.h has */
    struct min_output_terms floor;
    struct limit rows[LIMITS_MAX];
    size_t count;
};

/* False when it has refused a setting (service/conf.h): an unknown chain or token, a malformed amount. */
bool limits_read(struct limits *out, const struct conf *c);

bool limits_allow_chain(const struct limits *l, uint64_t chain_id);
/* Whether a swap may buy the token. */
bool limits_allow_token(const struct limits *l, const struct chain *c, const char *token);
/* Withdrawals and repayments are allowed in any market. */
bool limits_allow_loan(const struct limits *l, uint64_t chain_id, const struct loan *loan);
/* NULL: not limited. */
const struct limit *limits_find(const struct limits *l, uint64_t chain_id, const char *token);
const struct limit *limits_find_withdrawn(const struct limits *l, uint64_t chain_id, const char *token);

#endif
