/* Uniswap V2 and V3 straight from the chain: one Multicall3 eth_call asks every candidate path, the base fee
 * and a price for gas. Also wraps and unwraps the native coin, one to one. No third party is involved. */
#ifndef ROUTE_UNISWAP_H
#define ROUTE_UNISWAP_H

#include "route/provider.h"

extern const struct provider uniswap;

#endif
