/* Relay, between two chains: a deposit that commits to an order, which a solver fills on the far chain. Its
 * trades on one chain are not used: nothing in their bytes holds it to an output. */
#ifndef ROUTE_RELAY_H
#define ROUTE_RELAY_H

#include "route/provider.h"

extern const struct provider relay;

#endif
