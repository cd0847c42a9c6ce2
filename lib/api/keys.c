#include "model/api_key.h"

#include "api/admission/api_call.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "model/agent.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/quotas.h"
#include "store/trading_halts.h"
#include "webhook/security.h"

/* ---- its answers ---- */

/* clang-format off */
static const struct schema key_rotated_schema = { "KeyRotation", "The new key", FIELDS {
    SUCCESS,
    { "api_key", TEXT(A_KEY),                                 "The new key: shown this once" },
    { "message", TEXT("The former key is invalid from now on."), "What this means" },
    END } };
static const char *const rotated_event[] = { EVENT_KEY_ROTATED, NULL };

static const struct schema rotation_schema = { "KeyRotationNotice", "Whose key", FIELDS {
    { "agent_id", UUID(AN_ID), "The agent" },
    END } };

static const struct schema rotated_schema = { "KeyRotatedEvent", "The former key is invalid: if it was not you, ask the operator to stop the agent",
    EVENT_OF(rotated_event, EVENT_KEY_ROTATED, rotation_schema, "The agent") };
/* clang-format on */

/* ---- handlers ---- */

/* After a lost connection the new key is looked up: the agent must not lose both. */
static enum db_update key_rotate(struct api_call *c, const struct api_key *key)
{
    uint64_t lines = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_AUDIT_LINES);
    const struct security_event *told =
        security_event_about(c->ctx, c->arena, &c->agent->uuid, EVENT_KEY_ROTATED, NULL, NULL);
    enum db_update rotated = agents_rotate(c->ctx->db, c->agent->id, c->key_hash, key->hash, lines, told);
    struct agent now;

    return rotated != DB_ERROR                                                    ? rotated
           : agents_by_key(c->ctx->db, c->arena, key->hash, &now) == LOOKUP_FOUND ? UPDATED
                                                                                  : DB_ERROR;
}

static struct reply *rotate_api_key(struct api_call *c, const void *arg)
{
    struct json_writer *w;
    struct api_key key;
    enum db_update rotated;

    (void)arg;
    api_key_new(&key);
    rotated = key_rotate(c, &key);
    if (rotated == QUOTA_FULL)
        return reply_err(c->rq, &E_QUOTA_AUDIT);
    if (rotated == DB_ERROR)
        return NULL;
    if (rotated == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    if (rotated == UNCHANGED) /* another rotation came first; this key is dead */
        return reply_err(c->rq, c->endpoint->denied);
    security_event_log(&c->agent->uuid, EVENT_KEY_ROTATED, "");
    w = reply_open(c->rq, 200);
    jw_string(w, "api_key", key.text);
    jw_string(w, "message",
              "API key rotated. The former key is invalid from now on; this one is shown only once.");
    return reply_close(w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/keys/rotate",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_KEY_ROTATION,
        .handler = rotate_api_key,
        .flags = CORE,
        .tool = "rotate_api_key",
        .summary = "Rotate the API key",
        .about = "The present key stops working at once; store the new one before anything else.",
        .tag = TAG_AGENTS,
        .status = 200,
        .answer = &key_rotated_schema,
        .errors = ERRORS{ &E_STOPPED, &E_QUOTA_AUDIT, NULL },
    },
};

static const struct endpoint_event events[] = {
    { EVENT_KEY_ROTATED, "onKeyRotated", &rotated_schema },
    { .type = NULL },
};

const struct endpoint_group keys_endpoints = { ENDPOINT_ROWS(rows), .events = events };
