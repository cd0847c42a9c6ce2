#include "api/endpoints.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "store/agents.h"

/* Which of several requests moves the agent is decided by the database. */
static struct reply *move(struct request *rq, enum agent_status from, enum agent_status to,
                          const struct err *already, json_t *answer)
{
    int moved = agents_move(rq->ctx->db, rq->agent->id, from, to);

    if (moved == 1)
        return reply_json(rq, 200, answer);
    json_decref(answer);
    return moved < 0 ? NULL : reply_err(rq, already);
}

struct reply *ep_deactivate(struct request *rq, const void *arg)
{
    (void)arg;
    return move(
        rq, AGENT_ACTIVE, AGENT_DEACTIVATED, &E_DEACTIVATED,
        json_pack("{s:s, s:s}", "message",
                  "Agent deactivated. Its data is kept, and POST /reactivate with the same key undoes this."
                  " Should you delete the agent (DELETE /me), funds left in its managed wallets are lost.",
                  "status", "deactivated"));
}

struct reply *ep_reactivate(struct request *rq, const void *arg)
{
    (void)arg;
    return move(rq, AGENT_DEACTIVATED, AGENT_ACTIVE, &E_ACTIVE,
                json_pack("{s:s, s:s}", "message", "Agent reactivated. Its API key works again.", "status",
                          "active"));
}

/* After a lost connection what is on record decides, here as below. */
struct reply *ep_delete(struct request *rq, const void *arg)
{
    int deleted = agents_delete(rq->ctx->db, rq->agent->id);
    struct agent now;

    (void)arg;
    if (deleted < 0 && agents_by_key(rq->ctx->db, rq->arena, rq->key_hash, &now) == 0)
        deleted = 1;
    if (deleted < 0)
        return NULL;
    return deleted == 1 ? reply_empty(rq, 204) : reply_err(rq, rq->endpoint->denied);
}

/* The agent must not lose both keys. */
static int rotate(struct request *rq, const struct api_key *key)
{
    int rotated = agents_rotate(rq->ctx->db, rq->agent->id, rq->key_hash, key->hash);
    struct agent now;

    return rotated >= 0 ? rotated : agents_by_key(rq->ctx->db, rq->arena, key->hash, &now) == 1 ? 1 : -1;
}

struct reply *ep_key_rotate(struct request *rq, const void *arg)
{
    struct api_key key;
    int rotated;

    (void)arg;
    api_key_new(&key);
    rotated = rotate(rq, &key);
    if (rotated < 0)
        return NULL;
    if (rotated == 0) /* another rotation was first: this key is dead */
        return reply_err(rq, rq->endpoint->denied);
    return reply_json(
        rq, 200,
        json_pack("{s:s, s:s}", "api_key", key.text, "message",
                  "API key rotated. The former key is invalid from now on; this one is shown only"
                  " once."));
}
