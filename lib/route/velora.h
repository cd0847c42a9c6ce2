/* Velora (ParaSwap), Market API 6.2: prices, then the transaction of the price's route. */
#ifndef ROUTE_VELORA_H
#define ROUTE_VELORA_H

#include "route/provider.h"

extern const struct provider velora;

#endif
