/* A provider's reads of a chain's state: one multicall as one call for whoever runs it. */
#ifndef ROUTE_ONCHAIN_H
#define ROUTE_ONCHAIN_H

#include "chain/evm/multicall.h"
#include "chain/evm/node.h"
#include "route/provider.h"

struct onchain {
    struct node_query query;
    struct rpc_batch batch;
    struct buf body; /* of the batch */
};

/* The room for its calldata. */
enum { ONCHAIN_BYTES = 128 * 1024 };

/* Makes the call, which belongs to `owner`; false when the source chain has no such node. *o has to stay in
 * place until onchain_end. */
bool onchain_begin(struct onchain *o, void *owner, struct call *call, const struct ctx *ctx,
                   const struct route_in *in, const struct multicall *m, struct arena *a);
void *onchain_owner(const struct call *call);
/* Ends what was begun. False when there is no answer; the results are in the arena. */
bool onchain_end(struct onchain *o, struct multicall_results *out, struct arena *a);

#endif
