/* The price of gas on an EVM chain, read from pools together with a provider's own questions: the base fee,
 * and the worth of the native coin in dollars and in the bought token. The first two hardly change from one
 * block to the next: they are remembered for the time of a block. */
#ifndef ROUTE_GAS_PRICE_H
#define ROUTE_GAS_PRICE_H

#include "chain/tokens.h"
#include "route/uniswap_pools.h"

enum { GAS_PRICE_PATHS = 3 };

/* A question in progress. */
struct gas_price_query {
    const struct chain *chain;
    bool keeps; /* what it learns, and uses what was kept */
    bool known; /* from what was kept: only the output is asked for */
    bool wants_dollars;
    struct gas_price kept;
    bool pools; /* there are some to read it from */
    struct uniswap_contracts at;
    const struct token *dollar; /* NULL: dollars are not asked for */
    unsigned base_fee_at, output_at;
    struct uniswap_path usd[GAS_PRICE_PATHS], output[GAS_PRICE_PATHS];
    unsigned usd_count, output_count;
};

/* Before processes are forked: they share what any of them learns. */
void gas_prices_share(void);

/* The last known price of a unit of gas, in wei, for callers that need no exact price; the least tip before
 * that. */
struct u256 gas_price_last(const struct chain *c);

/* Adds calls for the base fee and, where an ideal is wanted too, the price in dollars. */
void gas_price_ask(struct gas_price_query *q, struct multicall *m, const struct route_in *in);
/* Adds calls for the price of the native coin in `to`. */
void gas_price_ask_output(struct gas_price_query *q, struct multicall *m, struct evm_addr to);
/* Reads all answers that arrived. Without a base fee gas still costs the tip. */
void gas_price_read(struct gas_price *out, struct gas_price_query *q, const struct multicall_results *r);

#endif
