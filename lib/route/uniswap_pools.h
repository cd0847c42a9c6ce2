/* Outputs of Uniswap's pools along several paths, each for several amounts, all in one multicall. */
#ifndef ROUTE_UNISWAP_POOLS_H
#define ROUTE_UNISWAP_POOLS_H

#include "route/uniswap_contracts.h"

/* Adds a call for what a path pays for an amount. */
void uniswap_price_ask(struct multicall *m, const struct uniswap_contracts *at,
                       const struct uniswap_path *path, struct u256 amount);
/* The result at index i; false when the pool is missing or dry, or the contracts of its version are not
 * used. */
bool uniswap_price_read(struct u256 *out, uint64_t *gas, const struct multicall_results *r, unsigned i,
                        const struct uniswap_contracts *at, const struct uniswap_path *path);
/* The path that pays most of n, whose results begin at index `first`, `step` apart. NULL when none answered.
 */
const struct uniswap_path *uniswap_price_best(struct u256 *out, const struct multicall_results *r,
                                              const struct uniswap_contracts *at,
                                              const struct uniswap_path *paths, unsigned n, unsigned first,
                                              unsigned step);

/* A pair's paths, and the amounts that each is asked for: the whole, small parts of it, or both. */
struct uniswap_pools {
    struct uniswap_contracts at;
    struct evm_addr from, to; /* the wrapped coin in place of the native one */
    struct uniswap_path paths[UNISWAP_PATHS_MAX];
    unsigned count;
    struct u256 whole;
    struct u256 amounts[3];
    unsigned each;  /* how many of the amounts */
    unsigned parts; /* how many of them are small parts: the last ones */
    unsigned first; /* index of the first path's first call */
};

/* Without paths or amounts yet; uniswap_contracts_ask adds to `m`, whose answers uniswap_contracts_read takes
 * first. NULL: the pools were asked before. False when the chain has no contracts to use, or both ends are
 * the same coin. */
bool uniswap_pools_begin(struct uniswap_pools *p, const struct route_in *in, struct multicall *m);
/* Those of its shortlist, or all. */
void uniswap_pools_add_paths(struct uniswap_pools *p, const struct route_in *in);
void uniswap_pools_add_whole(struct uniswap_pools *p);
/* `expected` is what the whole is going to bring, more or less: parts that tell no more are left out. 0: not
 * known. */
void uniswap_pools_add_parts(struct uniswap_pools *p, struct u256 expected);
void uniswap_pools_ask(struct uniswap_pools *p, struct multicall *m);
/* The output of the whole at the best price of a part, and the path with that price; 0 when none answered. */
struct u256 uniswap_pools_reference(const struct uniswap_pools *p, const struct multicall_results *r,
                                    const struct uniswap_path **of);

#endif
