/* The limit of questions to the venue of perpetuals in a minute, all processes of a host together: the weight
 * of its questions, of perps_weight. Orders always pass; calls that follow them leave them room, and calls
 * that only read leave room for both. After a refusal all ask less for a while. */
#ifndef PERPS_REQUEST_BUDGET_H
#define PERPS_REQUEST_BUDGET_H

#include <stdbool.h>

#include "service/ctx.h"

enum perps_request_budget_of {
    PERPS_REQUEST_BUDGET_READS,
    PERPS_REQUEST_BUDGET_POLLS,
    PERPS_REQUEST_BUDGET_ORDERS
};

/* Shares it by a file next to shm_file. Call before forking, and before any rights are given up. */
void perps_request_budget_share(const char *shm_file);

/* Sets the purpose of this process's next questions to the venue; it begins with PERPS_REQUEST_BUDGET_READS.
 */
void perps_request_budget_for(enum perps_request_budget_of of);
enum perps_request_budget_of perps_request_budget_asked_for(void);

/* False: not now. */
bool perps_request_budget_take(const struct ctx *ctx, unsigned weight, enum perps_request_budget_of of);
/* In how many seconds, at least one, so much is available if no other process uses it meanwhile. */
unsigned perps_request_budget_wait_s(const struct ctx *ctx, unsigned weight, enum perps_request_budget_of of);
/* The venue has answered 429. */
void perps_request_budget_refused(void);

#endif
