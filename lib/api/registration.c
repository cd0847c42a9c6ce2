#include <string.h>

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"
#include "webhook/webhook_sign.h"

/* ---- parameters ---- */

struct register_in {
    const char *name, *description, *callback_url;
    struct param_text metadata;
};

static const struct param register_params[] = {
    { "name", P_TEXT, INTO(struct register_in, name), .required = true, .min = 1, .max = AGENT_NAME_MAX,
      .about = "Name of the agent", .example = "my-agent" },
    { "description", P_TEXT, INTO(struct register_in, description), .max = AGENT_DESCRIPTION_MAX,
      .about = "What the agent does" },
    { "callback_url", P_TEXT, INTO(struct register_in, callback_url), .check = param_callback_fault,
      .about = "Where webhooks are sent" },
    { "metadata", P_OBJECT, INTO(struct register_in, metadata), .max = AGENT_METADATA_MAX,
      .about = "The agent's own data" },
    { 0 },
};

/* ---- its answers ---- */

/* clang-format off */
static const struct schema new_agent_schema = { "NewAgent", "An agent just registered", FIELDS {
    { "id",         UUID(AN_ID),      "Identifier of the agent" },
    { "name",       TEXT("my-agent"), "Its name" },
    { "api_key",    TEXT(A_KEY),      "Its API key: shown this once, store it" },
    { "created_at", TIME(A_TIME),     "Time of registration" },
    END } };

static const struct schema registered_schema = { "Registration", "The new agent with its key", FIELDS {
    SUCCESS,
    { "agent",   OBJECT(new_agent_schema), "The agent" },
    { "message", TEXT("Store api_key: it cannot be shown again. Next: POST /wallets, then POST /quote."), "What to do now" },
    { "ignored", TEXTS("team"), "Members of the request that are not known here and had no effect", .marks = MAY_BE_ABSENT },
    WEBHOOK_SECRET,
    END } };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *register_agent(struct api_call *c, const void *arg)
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
    struct json_writer *w;

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
    w = reply_open(c->rq, 200);
    jw_object(w, "agent");
    jw_string(w, "id", id);
    jw_string(w, "name", in->name);
    jw_string(w, "api_key", key.text);
    jw_time(w, "created_at", created_ms);
    jw_end(w);
    jw_string(w, "message",
              "Store api_key: it cannot be shown again. Next: POST /wallets, then POST /quote.");
    if (json_array_size(c->ignored) > 0)
        jw_value(w, "ignored", c->ignored);
    jw_string_if(w, "webhook_secret", in->callback_url != NULL ? secret.text : NULL);
    return reply_close(w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/register",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        TAKES(register_params, struct register_in),
        .limit = LIMIT_REGISTER,
        .flags = LENIENT | STORES | CORE,
        .handler = register_agent,
        .tool = "register_agent",
        .summary = "Register an agent",
        .about =
            "The first call of every agent. Store `api_key`: it cannot be shown again. With a `callback_url` the answer also has the `webhook_secret`. The only call that ignores members which it does not know: `ignored` names them. Next: POST /wallets, then POST /quote.",
        .tag = TAG_AGENTS,
        .status = 200,
        .answer = &registered_schema,
        .hints = HINT_ADDITIVE,
    },
};

const struct endpoint_group registration_endpoints = { ENDPOINT_ROWS(rows) };
