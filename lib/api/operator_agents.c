#include "operator/admin_agents.h"

#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "api/operator_call.h"
#include "operator/halts.h"
#include "service/conf.h"

/* ---- parameters ---- */

struct agents_in {
    const char *search, *tier, *before;
    uint64_t limit;
};

static const struct param agents_params[] = {
    { "search", P_TEXT, INTO(struct agents_in, search), .min = 1, .max = PARAM_NAME_MAX,
      .about = "An agent's id, a wallet's address, or a part of a name" },
    { "tier", P_TEXT, INTO(struct agents_in, tier), .max = PARAM_NAME_MAX, .about = "Those of one tier" },
    { "before", P_TEXT, INTO(struct agents_in, before), .max = PARAM_NAME_MAX,
      .about = "The id of the last one of the page before" },
    PARAM_SHOWN(struct agents_in),
    { 0 },
};

static const char *tier_fault(const char *tier, const void *env)
{
    const struct ctx *ctx = env;
    unsigned per_minute;

    return conf_tier(ctx->conf, tier, &per_minute) ? NULL : "is no tier of this service";
}

static const struct param tier_params[] = {
    { "tier", P_TEXT, INTO(struct operator_act_in, to), .required = true, .min = 1, .max = PARAM_NAME_MAX,
      .check = tier_fault, .about = "standard, premium, unlimited, or one of the settings'",
      .example = "premium" },
    PARAM_REASON,
    { 0 },
};

static const struct schema_field agent_id = { "id", S_UUID, .example = AN_ID, .about = "The agent's id" };

/* ---- answers ---- */

static const char *const agent_statuses[] = { "active", "deactivated", "banned", NULL };
static const char *const tradings[] = { "allowed", "stopped", NULL };

/* clang-format off */
static const struct schema agent_schema = { "Agent", "An agent as its operator sees it", FIELDS {
    { "id",                  UUID(AN_ID),                        "Its id" },
    { "name",                TEXT("trading bot"),                "What it calls itself" },
    { "description",         TEXT("null"),                       "What it says of itself", MAY_BE_NULL },
    { "tier",                TEXT("standard"),                   "The tier that it is in" },
    { "requests_per_minute", WHOLE("120"),                       "What that allows; null: there is no limit", MAY_BE_NULL },
    { "status",              CHOICE(agent_statuses, "active"),   "Whether its key opens anything" },
    { "trading",             CHOICE(tradings, "allowed"),        "Whether anything is signed for it, by a stop of its own or of all" },
    { "callback_url",        URI("https://agent.example/hook"),  "Where its webhooks go", MAY_BE_NULL },
    { "total_requests",      WHOLE("1024"),                      "Authenticated requests" },
    { "swaps_completed",     WHOLE("17"),                        "Completed swaps" },
    { "swaps_failed",        WHOLE("1"),                         "Failed swaps" },
    { "swaps_under_way",     WHOLE("0"),                         "Swaps that have done neither" },
    { "created_at",          TIME(A_TIME),                       "When it was registered" },
    { "last_active_at",      TIME(LATER),                        "When it asked for anything last" },
    END } };

static const struct schema agents_schema = { "Agents", "The latest first", FIELDS {
    SUCCESS,
    { "agents", LIST(agent_schema), "At most as many as were asked for; ask for those before the last one" },
    END } };

static const struct schema one_agent_schema = { "OneAgent", "The agent", FIELDS {
    SUCCESS,
    { "agent", OBJECT(agent_schema), "The agent" },
    END } };
/* clang-format on */

/* ---- looking ---- */

static void agent_write(struct json_writer *w, const char *key, const struct agent_report *r)
{
    const struct agent *a = &r->agent;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, a->uuid);
    jw_object(w, key);
    jw_string(w, "id", id);
    jw_string(w, "name", a->name);
    jw_string_or_null(w, "description", a->description);
    jw_string(w, "tier", a->tier);
    if (r->per_minute > 0)
        jw_integer(w, "requests_per_minute", r->per_minute);
    else
        jw_null(w, "requests_per_minute");
    jw_string(w, "status", operator_status_text(a));
    jw_string(w, "trading", r->halted ? "stopped" : "allowed");
    jw_string_or_null(w, "callback_url", a->callback_url);
    jw_integer(w, "total_requests", (int64_t)a->total_requests);
    jw_integer(w, "swaps_completed", (int64_t)a->swaps_completed);
    jw_integer(w, "swaps_failed", (int64_t)a->swaps_failed);
    jw_integer(w, "swaps_under_way", (int64_t)(a->swaps_pending + a->swaps_submitted));
    jw_time(w, "created_at", a->created_ms);
    jw_time(w, "last_active_at", a->last_active_ms);
    jw_end(w);
}

static struct reply *list_agents(struct api_call *c, const void *arg)
{
    const struct agents_in *in = arg;
    const struct agents_asked asked = { in->search, in->tier, in->before, (unsigned)in->limit };
    struct agent_report *list;
    struct json_writer *w;
    size_t n;
    const struct err *e =
        operator_call_err(c, operator_list_agents(c->ctx, c->arena, &asked, &list, &n), &E_AGENT_NOT_FOUND);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_array(w, "agents");
    for (size_t i = 0; i < n; i++)
        agent_write(w, NULL, &list[i]);
    jw_end(w);
    return reply_close(w);
}

static struct reply *get_agent(struct api_call *c, const void *arg)
{
    struct agent_report r;
    struct json_writer *w;
    const struct err *e =
        operator_call_err(c, operator_report_agent(c->ctx, c->arena, c->captured, &r), &E_AGENT_NOT_FOUND);

    (void)arg;
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    agent_write(w, "agent", &r);
    return reply_close(w);
}

/* ---- acting ---- */

static const char *find_agent(const struct ctx *ctx, struct arena *a, const char *agent)
{
    struct agent found;

    return operator_find_agent(ctx, a, agent, &found);
}

#define ON_AGENT .known = find_agent, .missing = &E_AGENT_NOT_FOUND, .answer = get_agent

static const struct operator_act tier_act = { "tier", ON_AGENT, .change = operator_set_tier };
static const struct operator_act stop_act = { "stop", ON_AGENT, .turn = operator_set_stop, .on = true };
static const struct operator_act resume_act = { "resume", ON_AGENT, .turn = operator_set_stop, .on = false };
static const struct operator_act ban_act = { "ban", ON_AGENT, .turn = operator_set_ban, .on = true };
static const struct operator_act unban_act = { "unban", ON_AGENT, .turn = operator_set_ban, .on = false };

/* ---- endpoints ---- */

#define OF_AGENTS OPERATOR_ROW(TAG_OPERATOR_AGENTS)
#define ON_ONE(name)                                                                                         \
    .path = V1_OPERATOR "/agents/{id}/" name, OF_AGENTS, .path_param = &agent_id,                            \
    .answer = &one_agent_schema, .errors = ERRORS                                                            \
    {                                                                                                        \
        &E_AGENT_NOT_FOUND, &E_REFUSED, NULL                                                                 \
    }

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1_OPERATOR "/agents",
        OF_AGENTS,
        TAKES(agents_params, struct agents_in),
        .handler = list_agents,
        .operation = "list_agents",
        .summary = "Agents",
        .about = "The latest first, or those that a text is the id, the wallet or a part of the name of.",
        .answer = &agents_schema,
        .errors = ERRORS{ &E_AGENT_NOT_FOUND, NULL },
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/agents/{id}",
        OF_AGENTS,
        .handler = get_agent,
        .operation = "get_agent",
        .summary = "One agent",
        .about = "What it is, what it may do and what it has done so far.",
        .path_param = &agent_id,
        .answer = &one_agent_schema,
        .errors = ERRORS{ &E_AGENT_NOT_FOUND, NULL },
    },
    {
        ON_ONE("tier"),
        OPERATOR_ACT(tier_act, tier_params),
        .operation = "set_tier",
        .summary = "Change its tier",
        .about = "Its limits and quotas are those of the tier with the next request.",
    },
    {
        ON_ONE("stop"),
        OPERATOR_ACT(stop_act, operator_act_params),
        .operation = "stop_agent",
        .summary = "Stop signing for it",
        .about =
            "Nothing is signed for it any more when this answers. It can read, and neither delete itself nor change key, callback, webhook secret or policies.",
    },
    {
        ON_ONE("resume"),
        OPERATOR_ACT(resume_act, operator_act_params),
        .operation = "resume_agent",
        .summary = "Lift its stop",
        .about = "It may trade again, unless all agents are stopped; a ban remains.",
    },
    {
        ON_ONE("ban"),
        OPERATOR_ACT(ban_act, operator_act_params),
        .operation = "ban_agent",
        .summary = "Lock its key out",
        .about = "Every call with its key is refused, and nothing is signed for it.",
    },
    {
        ON_ONE("unban"),
        OPERATOR_ACT(unban_act, operator_act_params),
        .operation = "unban_agent",
        .summary = "Lift its ban",
        .about = "Its key opens again what it opened before; a stop remains.",
    },
};

const struct endpoint_group operator_agents_endpoints = { ENDPOINT_ROWS(rows) };
