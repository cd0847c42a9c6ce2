/* Uniswap V2 and V3 straight from the chain: one multicall asks every candidate path, the base fee and a
 * price for gas. No third party is involved. */
#ifndef ROUTE_UNISWAP_H
#define ROUTE_UNISWAP_H

#include "route/provider.h"

extern const struct provider uniswap;

/* For whoever checks the price of a trade again: the calldata of an eth_call to Multicall3 that asks all
 * candidate paths for small parts of amount_in. False when the pair is not supported. */
bool uniswap_ideal_ask(struct buf *data, const struct route_in *in);
/* What that call returned, read as `ideal` of an answer. */
struct u256 uniswap_ideal_read(const struct route_in *in, const uint8_t *data, size_t n);

#endif
