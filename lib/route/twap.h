/* The time-weighted average price of a token in Uniswap V3 pools, which no trade within a single block moves.
 * Pools keep their own observations; the average covers half an hour, or as long as observations go back, in
 * the pool whose liquidity and window weigh the most. A token that has no pool with the dollar is priced
 * through the wrapped native coin. */
#ifndef ROUTE_TWAP_H
#define ROUTE_TWAP_H

#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "model/amount.h"
#include "route/uniswap_contracts.h"

enum { TWAP_LEGS = 3 };

/* A question in progress, to two nodes where there are two; it must stay in place until twap_read. */
struct twap {
    const struct token *token, *dollar;
    struct twap_leg {
        struct evm_addr from, to;
    } legs[TWAP_LEGS]; /* to the dollar, to the coin, from the coin to the dollar */
    unsigned count;
    struct uniswap_contracts at;
    unsigned first; /* index of the first pool's first call */
    struct buf body;
    struct rpc_batch batch;
    struct node_query queries[NODE_OPINIONS];
    bool asked[NODE_OPINIONS];
};

/* Makes the calls for calls_run, and returns how many: none when the chain has no such pools, or no node. */
size_t twap_ask(struct twap *q, struct call calls[static NODE_OPINIONS], const struct ctx *ctx,
                const struct chain *c, const struct token *t, struct arena *a);
/* Each node's average: dollars for one, RATE_PLACES. Returns how many, of those that answered and whose pools
 * have observations. The calls are the caller's to free. */
size_t twap_read(struct twap *q, struct arena *a, struct amount usd[static NODE_OPINIONS]);

#endif
