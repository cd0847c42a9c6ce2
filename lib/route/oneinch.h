/* 1inch's classic swaps, version 6.1: https://portal.1inch.dev. They are trades on one chain, and need a key.
 */
#ifndef ROUTE_ONEINCH_H
#define ROUTE_ONEINCH_H

#include "route/provider.h"

extern const struct provider oneinch;

#endif
