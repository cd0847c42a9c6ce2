/* Many reads in one eth_call, all of the same block: Multicall3's aggregate3, which stands at one address on
 * every chain. A read that fails does not disturb the others; where nodes have state overrides, one that
 * burns its gas does not either, since each gets a part of what there is. */
#ifndef CHAIN_EVM_MULTICALL_H
#define CHAIN_EVM_MULTICALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/addr.h"
#include "codec/u256.h"

struct multicall {
    struct buf heads; /* offsets */
    struct buf tails; /* the calls */
    unsigned count;
};

#define MULTICALL_INIT(ceiling)                                                                              \
    {                                                                                                        \
        .heads = BUF_INIT(ceiling), .tails = BUF_INIT(ceiling)                                               \
    }

struct rpc_batch;

struct evm_addr multicall_addr(void);
void multicall_add(struct multicall *m, struct evm_addr target, const struct buf *data);
/* The calldata of all that was added. */
void multicall_finish(const struct multicall *m, struct buf *out);
/* The call with that calldata, as the next item of a batch: one that cannot fail. Without calldata it is
 * none, and may. */
void multicall_call(struct rpc_batch *b, const struct buf *data);
void multicall_free(struct multicall *m);

/* What aggregate3 returned. */
struct multicall_results {
    const uint8_t *data;
    size_t len;
};

/* The return data of the call at index i; false when it failed. */
bool multicall_result(const struct multicall_results *r, unsigned i, const uint8_t **p, size_t *n);
/* Of one that returns a single word. */
bool multicall_word(struct u256 *out, const struct multicall_results *r, unsigned i);

#endif
