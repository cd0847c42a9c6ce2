#include <string.h>

#include "api/admission/meter.h"
#include "api/endpoints.h"
#include "api/view.h"
#include "base/clock.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"
#include "store/trading_halts.h"
#include "webhook/sign.h"

struct reply *ep_register(struct api_call *c, const void *arg)
{
    const struct register_in *in = arg;
    struct api_key key;
    char id[UUID_TEXT_LEN + 1];
    struct webhook_secret_issued secret;
    struct agent_new agent = {
        .uuid = uuid_random(),
        .name = in->name,
        .description = in->description,
        .tier = "standard",
        .callback_url = in->callback_url,
        .metadata = in->metadata.value,
    };
    int64_t created_ms;
    json_t *body;

    if (in->callback_url != NULL) {
        webhook_secret_issue(&secret, c->ctx->service_key);
        agent.sealed_secret = secret.sealed;
        agent.sealed_secret_len = sizeof secret.sealed;
    }
    api_key_new(&key);
    memcpy(agent.key_hash, key.hash, sizeof agent.key_hash);
    if (!agents_add(c->ctx->db, &agent, &created_ms))
        return NULL;
    uuid_text(id, agent.uuid);
    body = json_pack("{s:{s:s, s:s, s:s, s:o}, s:s}", "agent", "id", id, "name", in->name, "api_key",
                     key.text, "created_at", view_time(created_ms), "message",
                     "Store api_key: it cannot be shown again. Next: POST /wallets, then POST /quote.");
    if (in->callback_url != NULL)
        json_object_set_new(body, "webhook_secret", json_string(secret.text));
    return reply_json(c->rq, 200, body);
}

static json_t *metadata_of(const struct agent *a)
{
    json_t *m = a->metadata == NULL ? NULL : json_loads(a->metadata, 0, NULL);

    return m != NULL ? m : json_object();
}

static json_t *profile(struct api_call *c, const struct agent *a)
{
    char id[UUID_TEXT_LEN + 1];
    uint64_t pending;
    int64_t last_ms;

    uuid_text(id, a->uuid);
    meter_pending(c->ctx->meter, &a->uuid, &pending, &last_ms);
    if (last_ms < a->last_active_ms)
        last_ms = a->last_active_ms;
    return json_pack("{s:s, s:s, s:o, s:s, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:b, s:o}", "id", id, "name",
                     a->name, "description", view_text(a->description), "rate_limit_tier", a->tier, "stats",
                     "total_requests", (json_int_t)a->total_requests + (json_int_t)pending, "total_swaps",
                     (json_int_t)a->swaps_completed, "callback_url", view_text(a->callback_url), "metadata",
                     metadata_of(a), "created_at", view_time(a->created_ms), "last_active_at",
                     view_time(last_ms), "active", a->status == AGENT_ACTIVE, "updated_at",
                     view_time(a->updated_ms));
}

struct reply *ep_me(struct api_call *c, const void *arg)
{
    (void)arg;
    return reply_json(c->rq, 200, json_pack("{s:o}", "agent", profile(c, c->agent)));
}

struct reply *ep_me_change(struct api_call *c, const void *arg)
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
    struct agent now;
    bool secret_kept;
    json_t *body;
    int changed, found;

    if (!change.set_description && !change.set_callback && !change.set_metadata)
        return reply_err(c->rq, &E_NO_FIELDS);
    if (change.callback_url != NULL && !c->agent->has_webhook_secret) {
        webhook_secret_issue(&secret, c->ctx->service_key);
        change.sealed_secret = secret.sealed;
        change.sealed_secret_len = sizeof secret.sealed;
    }
    changed = agents_change(c->ctx->db, c->agent->id, &change, &secret_kept);
    if (changed == HALTED)
        return reply_err(c->rq, &E_STOPPED);
    found = agents_by_key(c->ctx->db, c->arena, c->key_hash, &now);
    if (found == 0) /* rotated or deleted meanwhile */
        return reply_err(c->rq, c->endpoint->denied);
    if (changed < 0 || found < 0)
        return NULL;
    body = json_pack("{s:o}", "agent", profile(c, &now));
    if (secret_kept)
        json_object_set_new(body, "webhook_secret", json_string(secret.text));
    return reply_json(c->rq, 200, body);
}
