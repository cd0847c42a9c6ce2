/* Agents as the operator sees them: found by their ids, registered with a tier, changed. */
#ifndef OPERATOR_ADMIN_AGENTS_H
#define OPERATOR_ADMIN_AGENTS_H

#include "model/agent.h"
#include "model/api_key.h"
#include "operator/operator.h"

/* The id that the agent itself sees, in the arena; NULL: there is none any more. */
const char *operator_agent_text(const struct ctx *ctx, struct arena *a, uint64_t id);
const char *operator_find_agent(const struct ctx *ctx, struct arena *a, const char *agent, struct agent *out);

struct agent_report {
    struct agent agent;
    bool halted;         /* trading, by itself or with all */
    bool tier_known;     /* else it counts as standard */
    unsigned per_minute; /* 0: unlimited */
};
const char *operator_report_agent(const struct ctx *ctx, struct arena *a, const char *agent,
                                  struct agent_report *out);
/* Which agents a list shows, latest first. */
struct agents_asked {
    const char *search; /* an id, a wallet's address or a part of a name; NULL: any; then `tier` and `before`
                           do not count */
    const char *tier;   /* NULL: any */
    const char *before; /* the id of the last one of the page before; NULL: none */
    unsigned max;
};
const char *operator_list_agents(const struct ctx *ctx, struct arena *a, const struct agents_asked *asked,
                                 struct agent_report **out, size_t *count);
const char *operator_status_text(const struct agent *agent); /* "active", "deactivated", "banned" */

/* Registers an agent of the tier; the key exists nowhere else. */
const char *operator_register_agent(const struct ctx *ctx, struct arena *a, const char *tier,
                                    struct api_key *out);
const char *operator_set_tier(const struct ctx *ctx, struct arena *a, const char *agent, const char *tier);
const char *operator_set_status(const struct ctx *ctx, struct arena *a, const char *agent,
                                enum agent_status to);
/* The previous key is dead when this returns. */
const char *operator_rotate_key(const struct ctx *ctx, struct arena *a, const char *agent,
                                struct api_key *out);

#endif
