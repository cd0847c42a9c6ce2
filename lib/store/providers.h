/* How asking each provider of routes went, on all hosts. */
#ifndef STORE_PROVIDERS_H
#define STORE_PROVIDERS_H

#include <stdbool.h>

#include "model/provider_counts.h"
#include "store/db.h"

/* What came to it since this was last called. */
bool providers_add(struct db *db, const char *provider_key, const struct provider_counts *more);

#endif
