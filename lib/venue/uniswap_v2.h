/* Uniswap V2's Router02: prices and swaps. */
#ifndef VENUE_UNISWAP_V2_H
#define VENUE_UNISWAP_V2_H

#include <stddef.h>

#include "base/buf.h"
#include "venue/contracts.h"
#include "venue/pools.h"

/* The output for `amount` of the path's first token, asked of the router. */
void uniswap_v2_price(struct buf *out, const struct pool_path *path, struct u256 amount);
bool uniswap_v2_price_read(struct u256 *out, const struct pool_path *path, const uint8_t *data, size_t n);

void uniswap_v2_swap(struct buf *out, const struct pool_swap *s);

/* The factory is only asked about. */
extern const struct contract_kind uniswap_v2_router, uniswap_v2_factory;

#endif
