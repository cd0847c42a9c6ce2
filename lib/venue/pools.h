/* Swaps along a path of pools, as Uniswap's routers of both versions take them. */
#ifndef VENUE_POOLS_H
#define VENUE_POOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/evm/evm_addr.h"
#include "codec/u256.h"

enum { POOL_HOPS_MAX = 2 };

struct pool_path {
    unsigned hops;
    struct evm_addr token[POOL_HOPS_MAX + 1]; /* the wrapped coin in place of the coin */
    uint32_t fee[POOL_HOPS_MAX];              /* V3: hundredths of a basis point */
};

/* A swap of exactly `amount`; reverts when less than `minimum` arrives or after the deadline. */
struct pool_swap {
    const struct pool_path *path;
    struct u256 amount, minimum;
    bool coin_in;  /* the wallet pays with the coin itself, which is sent as value */
    bool coin_out; /* the wallet is paid in the coin itself */
    struct evm_addr recipient;
    uint64_t deadline; /* Unix seconds */
};

#endif
