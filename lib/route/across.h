/* Across, between two chains: it says what a relayer pays for a deposit, and the deposit that binds him to it
 * is made here. */
#ifndef ROUTE_ACROSS_H
#define ROUTE_ACROSS_H

#include "route/provider.h"

extern const struct provider across;

#endif
