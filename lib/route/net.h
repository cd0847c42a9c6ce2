/* What offers are worth after gas and fees: computed here alone, for all providers alike. */
#ifndef ROUTE_NET_H
#define ROUTE_NET_H

#include "route/provider.h"

/* What a provider says that its call takes: less than any trade does, or more than the chain lets a
 * transaction take, is no figure. 0 stays: the wallet pays no gas. */
uint64_t gas_believed(uint64_t units, const struct chain *c);

/* Sets `net`, `gas_usd` and `fee_usd` of all and sorts them, best net output first. Where a price is not
 * known, gas counts nothing. */
void offers_rank(struct offer *offers, size_t n, const struct gas_price *gas);

#endif
