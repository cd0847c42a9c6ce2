/* The native coin for its wrapped form and back, one to one. */
#ifndef ROUTE_WRAP_H
#define ROUTE_WRAP_H

#include "route/provider.h"

extern const struct provider wrap;

/* Whether a pair is a coin and its wrapped form: no pool has a price for it. */
bool wrap_is_pair(const struct route_in *in);

#endif
