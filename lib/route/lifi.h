/* LI.FI: one question for price and transaction, on one chain and between two. */
#ifndef ROUTE_LIFI_H
#define ROUTE_LIFI_H

#include "route/provider.h"

extern const struct provider lifi;

#endif
