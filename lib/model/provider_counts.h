/* Counts of the results of asking a provider of routes, all questions together. */
#ifndef MODEL_PROVIDER_COUNTS_H
#define MODEL_PROVIDER_COUNTS_H

#include <stdint.h>

struct provider_counts {
    uint64_t asked, answered;
    uint64_t took_ms;
    uint64_t check_reports; /* transactions that were not what had been offered */
};

#endif
