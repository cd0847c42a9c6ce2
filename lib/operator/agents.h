/* Agents as the operator sees them: found by their ids, registered with a tier, changed. */
#ifndef OPERATOR_AGENTS_H
#define OPERATOR_AGENTS_H

#include "model/agent.h"
#include "model/api_key.h"
#include "operator/operator.h"

const char *operator_find_agent(const struct ctx *ctx, struct arena *a, const char *agent, struct agent *out);

struct agent_report {
    struct agent agent;
    bool halted;         /* trading, by itself or with all */
    bool tier_known;     /* else it counts as standard */
    unsigned per_minute; /* 0: unlimited */
};
const char *operator_report_agent(const struct ctx *ctx, struct arena *a, const char *agent,
                                  struct agent_report *out);
const char *operator_status_text(const struct agent *agent); /* "active", "deactivated", "banned" */

/* Registers an agent of the tier; the key exists nowhere else. */
const char *operator_register_agent(const struct ctx *ctx, struct arena *a, const char *tier,
                                    struct api_key *out);
const char *operator_set_tier(const struct ctx *ctx, struct arena *a, const char *agent, const char *tier);
const char *operator_set_status(const struct ctx *ctx, struct arena *a, const char *agent,
                                enum agent_status to);
/* The former key is dead when this returns. */
const char *operator_rotate_key(const struct ctx *ctx, struct arena *a, const char *agent,
                                struct api_key *out);

#endif
