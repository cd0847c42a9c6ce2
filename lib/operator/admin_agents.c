#include "operator/admin_agents.h"

#include <string.h>

#include "service/conf.h"
#include "store/agents.h"
#include "store/lookups.h"
#include "store/trading_halts.h"
#include "webhook/security.h"

const char *operator_agent_text(const struct ctx *ctx, struct arena *a, uint64_t id)
{
    struct uuid uuid;
    char *text;

    if (lookup_agent_uuid(ctx->db, id, &uuid) != LOOKUP_FOUND)
        return NULL;
    text = arena_alloc(a, UUID_TEXT_LEN + 1);
    uuid_text(text, uuid);
    return text;
}

const char *operator_find_agent(const struct ctx *ctx, struct arena *a, const char *agent, struct agent *out)
{
    struct uuid uuid;
    enum lookup found = uuid_parse(&uuid, agent) ? agents_by_uuid(ctx->db, a, &uuid, out) : LOOKUP_NONE;

    if (found == LOOKUP_ERROR)
        return OPERATOR_DATABASE_FAILED;
    return found == LOOKUP_NONE ? arena_printf(a, OPERATOR_NO_SUCH "agent: %s", agent) : NULL;
}

static void report_make(const struct ctx *ctx, const struct trading_halt *halts, int n,
                        struct agent_report *r)
{
    r->halted = trading_halts_name(halts, n, r->agent.id);
    r->per_minute = 0;
    r->tier_known = conf_tier(ctx->conf, r->agent.tier, &r->per_minute);
}

const char *operator_report_agent(const struct ctx *ctx, struct arena *a, const char *agent,
                                  struct agent_report *out)
{
    const char *problem = operator_find_agent(ctx, a, agent, &out->agent);
    enum lookup halted;

    if (problem != NULL)
        return problem;
    report_make(ctx, NULL, 0, out);
    halted = trading_halts_check(ctx->db, out->agent.id);
    out->halted = halted == LOOKUP_FOUND;
    return halted == LOOKUP_ERROR ? OPERATOR_DATABASE_FAILED : NULL;
}

/* ---- lists ---- */

/* Agents by their inner ids, those that are gone meanwhile left out. */
static int agents_read(const struct ctx *ctx, struct arena *a, const uint64_t *ids, int n, struct agent *out)
{
    int count = 0;

    for (int i = 0; i < n; i++) {
        enum lookup found = agents_by_id(ctx->db, a, ids[i], &out[count]);

        if (found == LOOKUP_ERROR)
            return -1;
        count += found == LOOKUP_FOUND;
    }
    return count;
}

static int agents_search(const struct ctx *ctx, struct arena *a, const struct agents_asked *asked,
                         struct agent *out)
{
    struct uuid uuid;
    uint64_t *ids;
    int n;

    if (uuid_parse(&uuid, asked->search))
        return (int)agents_by_uuid(ctx->db, a, &uuid, out);
    n = lookup_wallet_agents(ctx->db, a, asked->search, asked->max, &ids);
    if (n == 0)
        n = lookup_agents_named(ctx->db, a, asked->search, asked->max, &ids);
    return agents_read(ctx, a, ids, n, out);
}

const char *operator_list_agents(const struct ctx *ctx, struct arena *a, const struct agents_asked *asked,
                                 struct agent_report **out, size_t *count)
{
    struct agent *agents = ARENA_ARRAY(a, struct agent, asked->max), before = { .id = 0 };
    struct trading_halt *halts;
    int halted, n;
    const char *problem = asked->before == NULL ? NULL : operator_find_agent(ctx, a, asked->before, &before);

    *count = 0;
    if (problem != NULL)
        return problem;
    halted = trading_halts_list(ctx->db, a, &halts);
    n = asked->search != NULL ? agents_search(ctx, a, asked, agents)
                              : agents_newest(ctx->db, a, asked->tier, before.id, agents, asked->max);
    if (halted < 0 || n < 0)
        return OPERATOR_DATABASE_FAILED;
    *out = ARENA_ARRAY(a, struct agent_report, (size_t)n);
    for (; *count < (size_t)n; ++*count) {
        (*out)[*count].agent = agents[*count];
        report_make(ctx, halts, halted, &(*out)[*count]);
    }
    return NULL;
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
        OPERATOR_NO_SUCH
        "tier: %s (built in are standard, premium, unlimited; others are settings such as tier.gold = 2000)",
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
    return agents_set_status(
               ctx->db, found.id, to,
               security_event_about(ctx, a, &found.uuid,
                                    to == AGENT_ACTIVE ? EVENT_AGENT_REACTIVATED : EVENT_AGENT_DEACTIVATED,
                                    "by", "operator"))
               ? NULL
               : OPERATOR_DATABASE_FAILED;
}

const char *operator_rotate_key(const struct ctx *ctx, struct arena *a, const char *agent,
                                struct api_key *out)
{
    struct agent found = { .id = 0 };
    const char *problem = operator_find_agent(ctx, a, agent, &found);

    if (problem != NULL)
        return problem;
    api_key_new(out);
    return agents_set_key(ctx->db, found.id, out->hash,
                          security_event_about(ctx, a, &found.uuid, EVENT_KEY_ROTATED, NULL, NULL))
               ? NULL
               : OPERATOR_DATABASE_FAILED;
}
