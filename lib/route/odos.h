/* Odos, version 3 of its router: https://docs.odos.xyz. It serves trades on one chain. */
#ifndef ROUTE_ODOS_H
#define ROUTE_ODOS_H

#include "route/provider.h"

extern const struct provider odos;

#endif
