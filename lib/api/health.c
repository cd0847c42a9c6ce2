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

/* Which of the configured servers answers and how it stands in its cluster, or why none does. */
static json_t *database_view(const struct db *db)
{
    const char *standing;
    unsigned server = db_server(db, &standing);

    if (server == 0)
        return json_pack("{s:n, s:s}", "server", "reason", standing);
    return json_pack("{s:i, s:s}", "server", (int)server, "standing", standing);
}

struct reply *ep_readyz(struct request *rq, const void *arg)
{
    struct db *db = rq->ctx->db;
    bool durable = false, database = db_ready(db) && db_is_durable(db, &durable);
    bool schema = database && migrate_version(db) == SCHEMA_VERSION;
    bool signer = signer_ping(rq->ctx->signer) == SIGNER_OK;
    bool ready = database && durable && schema && signer;
    json_t *body = json_pack("{s:b, s:s, s:{s:b, s:b, s:b, s:b}, s:o}", "success", ready, "status",
                             ready ? "ready" : "not ready", "checks", "database", database, "durable",
                             durable, "schema", schema, "signer", signer, "database", database_view(db));

    (void)arg;
    /* For people and monitors: work that nobody does points at a crontab that is not running. */
    if (schema)
        json_object_set_new(body, "overdue_seconds",
                            json_pack("{s:I, s:I}", "swaps", (json_int_t)swaps_overdue(db), "webhooks",
                                      (json_int_t)events_overdue(db)));
    return reply_json(rq, ready ? 200 : 503, body);
}
