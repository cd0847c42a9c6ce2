#include "operator/agents.h"

#include <string.h>

#include "service/conf.h"
#include "store/agents.h"
#include "store/trading_halts.h"

const char *operator_find_agent(const struct ctx *ctx, struct arena *a, const char *agent, struct agent *out)
{
    struct uuid uuid;
    enum found found = uuid_parse(&uuid, agent) ? agents_by_uuid(ctx->db, a, &uuid, out) : FOUND_NONE;

    if (found == FOUND_FAILED)
        return OPERATOR_DATABASE_FAILED;
    return found == FOUND_NONE ? arena_printf(a, "no such agent: %s", agent) : NULL;
}

const char *operator_report_agent(const struct ctx *ctx, struct arena *a, const char *agent,
                                  struct agent_report *out)
{
    const char *problem = operator_find_agent(ctx, a, agent, &out->agent);
    enum found halted;

    if (problem != NULL)
        return problem;
    halted = trading_halts_check(ctx->db, out->agent.id);
    out->halted = halted == FOUND_ONE;
    out->per_minute = 0;
    out->tier_known = conf_tier(ctx->conf, out->agent.tier, &out->per_minute);
    return halted == FOUND_FAILED ? OPERATOR_DATABASE_FAILED : NULL;
}

const char *operator_status_text(const struct agent *agent)
{
    return agent->banned ? "banned" : agent->status == AGENT_ACTIVE ? "active" : "deactivated";
}

static const char *tier_check(const struct ctx *ctx, struct arena *a, const char *tier)
{
    unsigned per_minute;

    if (strlen(tier) <= TIER_MAX && conf_tier(ctx->conf, tier, &per_minute))
        return NULL;
    return arena_printf(
        a,
        "no such tier: %s (built in are standard, premium, unlimited; others are settings such as tier.gold = 2000)",
        tier);
}

const char *operator_register_agent(const struct ctx *ctx, struct arena *a, const char *tier,
                                    struct api_key *out)
{
    struct agent_new agent = { .uuid = uuid_random(), .name = "operator", .tier = tier };
    const char *problem = tier_check(ctx, a, tier);
    int64_t created_ms;

    if (problem != NULL)
        return problem;
    api_key_new(out);
    memcpy(agent.key_hash, out->hash, sizeof agent.key_hash);
    return agents_add(ctx->db, &agent, &created_ms) ? NULL : OPERATOR_DATABASE_FAILED;
}

const char *operator_set_tier(const struct ctx *ctx, struct arena *a, const char *agent, const char *tier)
{
    struct agent found = { .id = 0 };
    const char *problem = tier_check(ctx, a, tier);

    if (problem != NULL || (problem = operator_find_agent(ctx, a, agent, &found)) != NULL)
        return problem;
    return agents_set_tier(ctx->db, found.id, tier) ? NULL : OPERATOR_DATABASE_FAILED;
}

const char *operator_set_status(const struct ctx *ctx, struct arena *a, const char *agent,
                                enum agent_status to)
{
    struct agent found = { .id = 0 };
    const char *problem = operator_find_agent(ctx, a, agent, &found);

    if (problem != NULL)
        return problem;
    return agents_set_status(ctx->db, found.id, to) ? NULL : OPERATOR_DATABASE_FAILED;
}

const char *operator_rotate_key(const struct ctx *ctx, struct arena *a, const char *agent,
                                struct api_key *out)
{
    struct agent found = { .id = 0 };
    const char *problem = operator_find_agent(ctx, a, agent, &found);

    if (problem != NULL)
        return problem;
    api_key_new(out);
    return agents_set_key(ctx->db, found.id, out->hash) ? NULL : OPERATOR_DATABASE_FAILED;
}
