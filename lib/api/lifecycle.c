#include "api/endpoints.h"
#include "model/agent.h"
#include "model/api_key.h"
#include "net/slots.h"
#include "service/conf.h"
#include "store/agents.h"
#include "store/quotas.h"
#include "store/trading_halts.h"
#include "store/wallets.h"
#include "swap/portfolio.h"

/* What the agent is by now; 1, 0 gone, -1. */
static int reread(struct request *rq, struct agent *now)
{
    return agents_by_key(rq->ctx->db, rq->arena, rq->key_hash, now);
}

static struct reply *moved_reply(struct request *rq, const char *status, const char *message)
{
    return reply_json(rq, 200, json_pack("{s:s, s:s}", "message", message, "status", status));
}

/* Which of several requests moves the agent is decided by the database; why another one did not is seen
 * afterwards. */
static struct reply *not_moved(struct request *rq, int moved, const struct err *already,
                               const struct err *when_shut)
{
    struct agent now;
    int found = moved < 0 ? -1 : reread(rq, &now);

    if (found <= 0)
        return found < 0 ? NULL : reply_err(rq, rq->endpoint->denied);
    return reply_err(rq, now.status == AGENT_SHUT ? when_shut : already);
}

struct reply *ep_deactivate(struct request *rq, const void *arg)
{
    int moved = agents_deactivate(rq->ctx->db, rq->agent->id);

    (void)arg;
    if (moved == HALTED)
        return reply_err(rq, &E_STOPPED);
    if (moved != 1)
        return not_moved(rq, moved, &E_DEACTIVATED, err_hint(rq->arena, &E_DEACTIVATED, E_SHUT.hint));
    return moved_reply(
        rq, "deactivated",
        "Agent deactivated. Its data is kept, and POST /reactivate with the same key undoes this. Should you delete the agent (DELETE /me), funds left in its managed wallets are lost.");
}

struct reply *ep_reactivate(struct request *rq, const void *arg)
{
    int moved = agents_reactivate(rq->ctx->db, rq->agent->id);

    (void)arg;
    return moved == 1 ? moved_reply(rq, "active", "Agent reactivated. Its API key works again.")
                      : not_moved(rq, moved, &E_ACTIVE, &E_SHUT);
}

/* ---- DELETE /me ---- */

/* NULL when nothing is left in the wallets, as far as the chains tell. */
static const struct err *wallets_empty(struct request *rq, const struct wallet *list, int n)
{
    struct portfolio held;

    for (int at = 0, part; at < n; at += part) {
        part = n - at < PORTFOLIO_MAX_WALLETS ? n - at : PORTFOLIO_MAX_WALLETS;
        portfolio_read(rq->ctx, rq->arena, list + at, (size_t)part, NULL, &held);
        if (held.count > 0 || held.unread_count > 0)
            return held.count > 0 ? &E_FUNDED : &E_FUNDS_UNREAD;
    }
    return NULL;
}

/* Nodes are asked: only so many at once. */
static const struct err *ask_chains(struct request *rq)
{
    struct wallet *list;
    int n = wallets_list(rq->ctx->db, rq->arena, rq->agent->id, &list);
    const struct err *e;

    if (n < 0)
        return rq->endpoint->internal;
    if (!slots_enter(rq->ctx->slots, rq->agent->id))
        return &E_BUSY;
    e = wallets_empty(rq, list, n);
    slots_leave(rq->ctx->slots);
    return e;
}

/* A stop is looked at first: nodes are not asked in vain. */
static const struct err *may_delete(struct request *rq)
{
    int stopped;

    if (rq->ctx->conf->delete_funded)
        return NULL;
    stopped = trading_halts_check(rq->ctx->db, rq->agent->id);
    if (stopped != 0)
        return stopped < 0 ? rq->endpoint->internal : &E_STOPPED;
    return ask_chains(rq);
}

/* After a lost connection what is on record decides, here as below. */
struct reply *ep_delete(struct request *rq, const void *arg)
{
    const struct err *e = may_delete(rq);
    struct agent now;
    int deleted;

    (void)arg;
    if (e != NULL)
        return reply_err(rq, e);
    deleted = agents_delete(rq->ctx->db, rq->agent->id);
    if (deleted < 0 && reread(rq, &now) == 0)
        deleted = 1;
    if (deleted < 0)
        return NULL;
    if (deleted == HALTED)
        return reply_err(rq, &E_STOPPED);
    return deleted == 1 ? reply_empty(rq, 204) : reply_err(rq, rq->endpoint->denied);
}

/* ---- POST /keys/rotate ---- */

/* The agent must not lose both keys. */
static int rotate(struct request *rq, const struct api_key *key)
{
    uint64_t lines = conf_quota(rq->ctx->conf, rq->agent->tier, QUOTA_AUDIT_LINES);
    int rotated = agents_rotate(rq->ctx->db, rq->agent->id, rq->key_hash, key->hash, lines);
    struct agent now;

    return rotated != -1 ? rotated : agents_by_key(rq->ctx->db, rq->arena, key->hash, &now) == 1 ? 1 : -1;
}

struct reply *ep_key_rotate(struct request *rq, const void *arg)
{
    struct api_key key;
    int rotated;

    (void)arg;
    api_key_new(&key);
    rotated = rotate(rq, &key);
    if (rotated == QUOTA_FULL)
        return reply_err(rq, &E_QUOTA_AUDIT);
    if (rotated < 0)
        return NULL;
    if (rotated == HALTED)
        return reply_err(rq, &E_STOPPED);
    if (rotated == 0) /* another rotation was first: this key is dead */
        return reply_err(rq, rq->endpoint->denied);
    return reply_json(
        rq, 200,
        json_pack("{s:s, s:s}", "api_key", key.text, "message",
                  "API key rotated. The former key is invalid from now on; this one is shown only once."));
}
