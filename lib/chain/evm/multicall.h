/* Many reads in one eth_call, all at the same block: Multicall3's aggregate3, deployed at one address on
 * every chain. A failing read does not affect the others; on nodes with state overrides neither does one that
 * burns all its gas, since each read gets a share of the gas. */
#ifndef CHAIN_EVM_MULTICALL_H
#define CHAIN_EVM_MULTICALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chain/evm/evm_addr.h"
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
/* The calldata of Multicall3's own read of an account's coins. */
void multicall_coin_balance(struct buf *out, struct evm_addr owner);
/* The calldata of Multicall3's read of the block's time, in seconds. */
void multicall_block_time(struct buf *out);
/* Adds its read of the block's number, which on a chain with `arbsys` (chain/chains.h; else NULL) that
 * contract tells. */
void multicall_block_number(struct multicall *m, const char *arbsys);
void multicall_add(struct multicall *m, struct evm_addr target, const struct buf *data);
/* The calldata of everything that was added. */
void multicall_finish(const struct multicall *m, struct buf *out);
/* Adds the call with that calldata as the next item of a batch, marked as one that cannot fail. With empty
 * calldata it calls nothing, and may fail. */
void multicall_call(struct rpc_batch *b, const struct buf *data);
void multicall_free(struct multicall *m);

/* The result of aggregate3. */
struct multicall_results {
    const uint8_t *data;
    size_t len;
};

/* Whether there is an answer to each of so many calls, and none is cut off. */
bool multicall_complete(const struct multicall_results *r, unsigned count);
/* The return data of the call at index i; false when it failed. */
bool multicall_result(const struct multicall_results *r, unsigned i, const uint8_t **p, size_t *n);
/* The result of a call that returns a single word. */
bool multicall_word(struct u256 *out, const struct multicall_results *r, unsigned i);

#endif
