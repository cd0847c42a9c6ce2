/* The operator's own policies for an agent's wallets, which the agent cannot delete. */
#ifndef OPERATOR_ADMIN_POLICIES_H
#define OPERATOR_ADMIN_POLICIES_H

#include "model/policy.h"
#include "operator/operator.h"

/* All that are in force, the agent's own too; in the arena, oldest first. */
const char *operator_list_policies(const struct ctx *ctx, struct arena *a, const char *agent,
                                   const struct policy **out, size_t *count);
/* `json` is a body of POST /wallet/policy, for every wallet of the agent. In force when this returns. */
const char *operator_add_policy(const struct ctx *ctx, struct arena *a, const char *agent, const char *json,
                                struct uuid *id);
/* Ends a policy of any agent, at once. */
const char *operator_end_policy(const struct ctx *ctx, struct arena *a, const char *agent,
                                const char *policy);

#endif
