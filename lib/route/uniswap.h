/* Uniswap V2 and V3 straight from the chain: one multicall asks every candidate path, the base fee and a
 * price for gas. No third party is involved. */
#ifndef ROUTE_UNISWAP_H
#define ROUTE_UNISWAP_H

#include "route/provider.h"

extern const struct provider uniswap;

#endif
