/* Results of asking each provider of routes, on all hosts. */
#ifndef STORE_PROVIDER_RESULTS_H
#define STORE_PROVIDER_RESULTS_H

#include <stdbool.h>

#include "model/provider_counts.h"
#include "store/db.h"

/* Adds the counts since the last call. */
bool providers_add(struct db *db, const char *provider_key, const struct provider_counts *more);

#endif
