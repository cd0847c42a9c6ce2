/* Reading a chain's state for a provider: one multicall, wrapped into one HTTP call. */
#ifndef ROUTE_ONCHAIN_H
#define ROUTE_ONCHAIN_H

#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "route/provider.h"

struct onchain {
    struct node_query query;
    struct rpc_batch batch;
    struct buf body; /* of the batch */
};

/* Limit of its calldata. */
enum { ONCHAIN_BYTES = 128 * 1024 };

/* Makes the call on behalf of `owner`; false when the source chain has no such node. *o must stay in place
 * until onchain_end. */
bool onchain_begin(struct onchain *o, void *owner, struct call *call, const struct ctx *ctx,
                   const struct route_in *in, const struct multicall *m, struct arena *a);
void *onchain_owner(const struct call *call);
/* Takes the results, which are in the arena, after the call has ended; false when there is no answer. */
bool onchain_end(struct onchain *o, struct multicall_results *out, struct arena *a);

#endif
