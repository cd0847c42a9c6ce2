/* 0x, Swap API v2 with the AllowanceHolder: a price for quotes, a firm quote for the transaction. */
#ifndef ROUTE_ZEROX_H
#define ROUTE_ZEROX_H

#include "route/provider.h"

extern const struct provider zerox;

#endif
