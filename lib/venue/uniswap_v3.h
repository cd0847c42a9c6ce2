/* Uniswap V3: prices of QuoterV2, swaps of SwapRouter02, and where the factory puts a pool. */
#ifndef VENUE_UNISWAP_V3_H
#define VENUE_UNISWAP_V3_H

#include <stddef.h>

#include "base/buf.h"
#include "venue/contracts.h"
#include "venue/pools.h"

/* The output for `amount` of the path's first token, asked of the quoter, and the gas that the pools took. */
void uniswap_v3_price(struct buf *out, const struct pool_path *path, struct u256 amount);
bool uniswap_v3_price_read(struct u256 *out, uint64_t *gas, const uint8_t *data, size_t n);

void uniswap_v3_swap(struct buf *out, const struct pool_swap *s);

/* The pool of two tokens, in any order, with a fee. */
struct evm_addr uniswap_v3_pool(const struct contract *factory, struct evm_addr a, struct evm_addr b,
                                uint32_t fee);

/* Quoter and factory are only asked. */
extern const struct contract_kind uniswap_v3_router, uniswap_v3_quoter, uniswap_v3_factory;

#endif
