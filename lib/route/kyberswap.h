/* KyberSwap's aggregator, version 1: https://docs.kyberswap.com. It serves trades on one chain. */
#ifndef ROUTE_KYBERSWAP_H
#define ROUTE_KYBERSWAP_H

#include "route/provider.h"

extern const struct provider kyberswap;

#endif
