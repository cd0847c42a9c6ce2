/* Across, between two chains: it reports what a relayer pays for a deposit, and the deposit that binds the
 * relayer to it is made here. */
#ifndef ROUTE_ACROSS_H
#define ROUTE_ACROSS_H

#include "route/provider.h"

extern const struct provider across;

#endif
