/* An agent, as the agents table has it. */
#ifndef MODEL_AGENT_H
#define MODEL_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"
#include "model/order.h"

enum agent_status {
    AGENT_ACTIVE = 1,
    AGENT_DEACTIVATED = 2, /* deactivated by itself, and may reactivate itself */
    AGENT_SHUT = 3,        /* deactivated by the operator, who alone can reactivate it */
};

enum { AGENT_NAME_MAX = 100, AGENT_DESCRIPTION_MAX = 500, AGENT_METADATA_MAX = 16 * 1024, TIER_MAX = 32 };

struct agent {
    uint64_t id; /* ours; agents see the uuid */
    struct uuid uuid;
    enum agent_status status;
    bool banned; /* by the operator: its key opens nothing, with any status */
    const char *name;
    const char *description; /* NULL when unset */
    const char *tier;
    const char *callback_url; /* NULL when unset */
    const char *metadata;     /* JSON object text, NULL when unset */
    bool has_webhook_secret;
    uint64_t total_requests;
    /* kept totals of the agent's swaps, by the status that lists show */
    uint64_t swaps_pending, swaps_submitted, swaps_completed, swaps_failed;
    uint64_t orders[ORDER_REJECTED + 1]; /* totals of its orders, by their status */
    uint64_t perps_orders;               /* and of its orders for perpetuals, all that lists show */
    uint64_t lend_operations;            /* of its operations at lenders, all of them */
    int64_t created_ms;
    int64_t updated_ms; /* profile, tier or state */
    int64_t last_active_ms;
};

#endif
