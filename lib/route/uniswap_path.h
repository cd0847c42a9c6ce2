/* A path through Uniswap's pools: which ones are worth asking for a pair, and how quotes store them. */
#ifndef ROUTE_UNISWAP_PATH_H
#define ROUTE_UNISWAP_PATH_H

#include "route/provider.h"
#include "venue/pools.h"

enum { UNISWAP_PATHS_MAX = 40 };

enum uniswap_kind { UNISWAP_V2 = 3, UNISWAP_V3 = 4 }; /* as stored */

struct uniswap_path {
    enum uniswap_kind kind;
    struct pool_path pools;
};

/* The candidates between two tokens of a chain, direct ones first. */
unsigned uniswap_paths(struct uniswap_path out[static UNISWAP_PATHS_MAX], const struct chain *c,
                       struct evm_addr from, struct evm_addr to);

struct payload uniswap_path_payload(struct arena *a, const struct uniswap_path *path);
bool uniswap_path_read(struct uniswap_path *out, const struct payload *payload);
/* "Uniswap V3 0.05%, two hops" */
const char *uniswap_path_label(struct arena *a, const struct uniswap_path *path);

#endif
