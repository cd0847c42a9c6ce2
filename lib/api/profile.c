#include <string.h>

#include "api/admission/api_call.h"
#include "api/admission/meter.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "base/clock.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "net/url.h"
#include "store/agents.h"
#include "store/trading_halts.h"
#include "webhook/security.h"
#include "webhook/webhook_sign.h"

/* ---- parameters ---- */

struct me_change_in {
    struct param_text description, callback_url, metadata;
};

static const struct param me_change_params[] = {
    { "description", P_NULLABLE, INTO(struct me_change_in, description), .max = AGENT_DESCRIPTION_MAX,
      .about = "What the agent does; null removes it", .example = "Rebalances a portfolio" },
    { "callback_url", P_NULLABLE, INTO(struct me_change_in, callback_url), .check = param_callback_fault,
      .about = "Where webhooks are sent; null removes it", .example = "https://agent.example/hook" },
    { "metadata", P_OBJECT, INTO(struct me_change_in, metadata), .max = AGENT_METADATA_MAX,
      .about = "The agent's own data, replaced whole" },
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */
static const struct schema agent_stats_schema = { "AgentStats", "What an agent has done so far", FIELDS {
    { "total_requests", WHOLE("128"), "Authenticated requests" },
    { "total_swaps",    WHOLE("7"),   "Completed swaps" },
    END } };

static const struct schema agent_schema = { "Agent", "An agent's profile", FIELDS {
    { "id",              UUID(AN_ID),                       "Identifier of the agent" },
    { "name",            TEXT("my-agent"),                  "Its name" },
    { "description",     TEXT("Rebalances a portfolio"),    "What it does", MAY_BE_NULL },
    { "rate_limit_tier", TEXT("standard"),                  "Its tier of request limits" },
    { "stats",           OBJECT(agent_stats_schema),        "Its counters" },
    { "callback_url",    URI("https://agent.example/hook"), "Where webhooks go; null: nowhere", MAY_BE_NULL },
    { "metadata",        FREE,                              "The agent's own data" },
    { "created_at",      TIME(A_TIME),                      "Time of registration" },
    { "last_active_at",  TIME(LATER),                       "Time of the last request", MAY_BE_NULL },
    { "active",          FLAG("true"),                      "Whether its key works: false while it is deactivated" },
    { "updated_at",      TIME(A_TIME),                      "When profile, tier or state changed" },
    END } };

static const struct schema me_schema = { "Profile", "The agent that asks", FIELDS {
    SUCCESS,
    { "agent", OBJECT(agent_schema), "The agent" },
    END } };

static const struct schema me_changed_schema = { "ProfileChange", "The profile after the change", FIELDS {
    SUCCESS,
    { "agent", OBJECT(agent_schema), "The agent" },
    WEBHOOK_SECRET,
    END } };
static const char *const changed_event[] = { EVENT_CALLBACK_CHANGED, NULL };

static const struct schema callback_change_schema = { "CallbackChange", "Whose callback, and where it goes now", FIELDS {
    { "agent_id",      UUID(AN_ID),           "The agent" },
    { "callback_host", TEXT("agent.example"), "Host of the new callback; null: there is none", MAY_BE_NULL },
    END } };

static const struct schema callback_changed_schema = { "CallbackChangedEvent", "Sent to former callbacks: if it was not you, ask the operator to stop the agent",
    EVENT_OF(changed_event, EVENT_CALLBACK_CHANGED, callback_change_schema, "The change") };
/* clang-format on */

/* ---- handlers ---- */

static void metadata_write(struct json_writer *w, const struct agent *a)
{
    if (a->metadata != NULL) {
        jw_stored(w, "metadata", a->metadata);
        return;
    }
    jw_object(w, "metadata");
    jw_end(w);
}

static void profile_write(struct json_writer *w, struct api_call *c, const struct agent *a)
{
    char id[UUID_TEXT_LEN + 1];
    uint64_t pending;
    int64_t last_ms;

    uuid_text(id, a->uuid);
    meter_pending(c->ctx->meter, &a->uuid, &pending, &last_ms);
    if (last_ms < a->last_active_ms)
        last_ms = a->last_active_ms;
    jw_object(w, "agent");
    jw_string(w, "id", id);
    jw_string(w, "name", a->name);
    jw_string_or_null(w, "description", a->description);
    jw_string(w, "rate_limit_tier", a->tier);
    jw_object(w, "stats");
    jw_integer(w, "total_requests", (int64_t)(a->total_requests + pending));
    jw_integer(w, "total_swaps", (int64_t)a->swaps_completed);
    jw_end(w);
    jw_string_or_null(w, "callback_url", a->callback_url);
    metadata_write(w, a);
    jw_time(w, "created_at", a->created_ms);
    jw_time(w, "last_active_at", last_ms);
    jw_bool(w, "active", a->status == AGENT_ACTIVE);
    jw_time(w, "updated_at", a->updated_ms);
    jw_end(w);
}

static struct reply *get_me(struct api_call *c, const void *arg)
{
    struct json_writer *w = reply_open(c->rq, 200);

    (void)arg;
    profile_write(w, c, c->agent);
    return reply_close(w);
}

static struct reply *update_me(struct api_call *c, const void *arg)
{
    const struct me_change_in *in = arg;
    struct agent_change change = {
        .set_description = in->description.given,
        .set_callback = in->callback_url.given,
        .set_metadata = in->metadata.given,
        .description = in->description.value,
        .callback_url = in->callback_url.value,
        .metadata = in->metadata.value,
    };
    struct webhook_secret_issued secret;
    struct json_writer *w;
    struct agent now;
    char host[URL_HOST_TEXT_LEN] = "-";
    bool secret_kept;
    enum lookup found;
    enum db_update changed;

    if (change.callback_url != NULL && !c->agent->has_webhook_secret) {
        webhook_secret_issue(&secret, c->ctx->service_key);
        change.sealed_secret = secret.sealed;
        change.sealed_secret_len = sizeof secret.sealed;
    }
    if (change.callback_url != NULL)
        url_host_text(host, change.callback_url);
    change.told = security_event_about(c->ctx, c->arena, &c->agent->uuid, EVENT_CALLBACK_CHANGED,
                                       "callback_host", change.callback_url == NULL ? NULL : host);
    changed = agents_change(c->ctx->db, c->agent->id, &change, &secret_kept);
    if (changed == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    if (changed == QUOTA_FULL)
        return reply_err(c->rq,
                         err_wait(c->arena, &E_CALLBACK_CHANGES, CALLBACKS_WAIT_S, E_CALLBACK_CHANGES.hint));
    found = agents_by_key(c->ctx->db, c->arena, c->key_hash, &now);
    if (found == LOOKUP_NONE) /* rotated or deleted meanwhile */
        return reply_err(c->rq, c->endpoint->denied);
    if (changed == DB_ERROR || found == LOOKUP_ERROR)
        return NULL;
    if (changed == UPDATED && change.set_callback &&
        strcmp(change.callback_url == NULL ? "" : change.callback_url,
               c->agent->callback_url == NULL ? "" : c->agent->callback_url) != 0)
        security_event_log(&c->agent->uuid, EVENT_CALLBACK_CHANGED, host);
    w = reply_open(c->rq, 200);
    profile_write(w, c, &now);
    jw_string_if(w, "webhook_secret", secret_kept ? secret.text : NULL);
    return reply_close(w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/me",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = get_me,
        .flags = CORE,
        .tool = "get_me",
        .summary = "Agent profile",
        .about = "Who the key belongs to, with tier and counters.",
        .tag = TAG_AGENTS,
        .skill = SKILL_PROFILE,
        .status = 200,
        .answer = &me_schema,
    },
    {
        .method = PATCH,
        .path = V1 "/me",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(me_change_params, struct me_change_in),
        .handler = update_me,
        .flags = CORE,
        .tool = "update_me",
        .summary = "Update the profile",
        .about =
            "Send at least one member. `metadata` is replaced whole. The first `callback_url` brings the `webhook_secret`, shown this once; null stops webhooks, but not security events, which former callbacks get too.",
        .tag = TAG_AGENTS,
        .skill = SKILL_PROFILE,
        .status = 200,
        .answer = &me_changed_schema,
        .nothing = &E_NO_FIELDS,
        .errors = ERRORS{ &E_NO_FIELDS, &E_STOPPED, &E_CALLBACK_CHANGES, NULL },
    },
};

static const struct endpoint_event events[] = {
    { EVENT_CALLBACK_CHANGED, "onCallbackChanged", &callback_changed_schema },
    { .type = NULL },
};

const struct endpoint_group profile_endpoints = { ENDPOINT_ROWS(rows), .events = events };
