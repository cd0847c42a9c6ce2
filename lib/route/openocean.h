/* OpenOcean, version 4: https://docs.openocean.finance. It serves trades on one chain. */
#ifndef ROUTE_OPENOCEAN_H
#define ROUTE_OPENOCEAN_H

#include "route/provider.h"

extern const struct provider openocean;

#endif
