#include <unistd.h>

#include "api/endpoints.h"
#include "signer/client.h"
#include "store/events.h"
#include "store/migrate.h"
#include "store/swaps.h"

struct reply *ep_healthz(struct request *rq, const void *arg)
{
    (void)arg;
    return reply_json(rq, 200, json_pack("{s:s}", "status", "ok"));
}

/* What keeps keys from this worker, which is no condition of being ready. */
static const char *keys_protected(unsigned standing)
{
    if (geteuid() == 0)
        return "not from workers that are root";
    return standing & SIGNER_APART ? "from code in a worker" : "in memory only";
}

static json_t *signer_standing(unsigned standing)
{
    return json_pack("{s:s, s:b, s:b}", "keys_protected", keys_protected(standing), "memory_locked",
                     (standing & SIGNER_LOCKED) != 0, "stopped", (standing & SIGNER_STOPPED) != 0);
}

struct reply *ep_readyz(struct request *rq, const void *arg)
{
    struct db *db = rq->ctx->db;
    bool durable = false, database = db_ready(db) && db_is_durable(db, &durable);
    bool schema = database && migrate_version(db) == SCHEMA_VERSION;
    unsigned standing = 0;
    bool signer = signer_ping(rq->ctx->signer, &standing) == SIGNER_OK;
    bool ready = database && durable && schema && signer;
    json_t *body = json_pack("{s:b, s:s, s:{s:b, s:b, s:b, s:b}}", "success", ready, "status",
                             ready ? "ready" : "not ready", "checks", "database", database, "durable",
                             durable, "schema", schema, "signer", signer);

    (void)arg;
    if (signer)
        json_object_set_new(body, "signer", signer_standing(standing));
    /* For people and monitors: work that nobody does points at a crontab that is not running. */
    if (schema)
        json_object_set_new(body, "overdue_seconds",
                            json_pack("{s:I, s:I}", "swaps", (json_int_t)swaps_overdue(db), "webhooks",
                                      (json_int_t)events_overdue(db)));
    return reply_json(rq, ready ? 200 : 503, body);
}
