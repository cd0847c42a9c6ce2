/* The worth of offers after gas and fees: computed only here, for all providers alike. */
#ifndef ROUTE_NET_H
#define ROUTE_NET_H

#include "route/provider.h"

/* A provider's figure of gas, if it is plausible: not less than any trade takes, nor more than a transaction
 * of the chain may take. 0 stays: the wallet pays no gas. */
uint64_t gas_believed(uint64_t units, const struct chain *c);

/* Sets `net`, `gas_usd` and `fee_usd` of all and sorts them, best net output first. Where a price is not
 * known, gas counts nothing. */
void offers_rank(struct offer *offers, size_t n, const struct gas_price *gas);

#endif
