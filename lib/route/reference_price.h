/* The output of a trade at the price of a small part of it, to check a trade of any provider again: one call,
 * which fits into another batch, asks the chain's pools. */
#ifndef ROUTE_REFERENCE_PRICE_H
#define ROUTE_REFERENCE_PRICE_H

#include "route/provider.h"

/* The calldata of an eth_call to Multicall3 that asks the shortlist, or all candidate paths, for small parts
 * of amount_in, of which `expected` comes out in all; 0: that is not known. False where no pools are known.
 */
bool reference_ask(struct buf *data, const struct route_in *in, struct u256 expected);
/* Reads the call's result as `ideal` of an answer. */
struct u256 reference_read(const struct route_in *in, struct u256 expected, const uint8_t *data, size_t n);

#endif
