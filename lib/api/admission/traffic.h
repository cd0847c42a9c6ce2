/* Requests by endpoint and status with the time that they took, as this host has counted them. */
#ifndef API_ADMISSION_TRAFFIC_H
#define API_ADMISSION_TRAFFIC_H

#include <stdint.h>

#include "api/endpoint/endpoint.h"
#include "base/metrics.h"

/* An answer of the row, NULL: of none. */
void traffic_count(const struct endpoint *row, int status, uint64_t took_us);

/* The codes that are counted separately, the rest as "other"; NULL ends the list. */
extern const char *const traffic_codes[];
extern metric_scale traffic_scale; /* microseconds */
struct metric traffic_answers(const struct endpoint *row, const char *code);
struct metric traffic_times(const struct endpoint *row);

#endif
