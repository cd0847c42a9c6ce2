#include "api/readiness.h"

#include <string.h>

#include "base/incident.h"
#include "chain/rpc/node_health.h"
#include "service/disk.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/events.h"
#include "store/executions.h"
#include "store/migrate.h"
#include "store/order_leases.h"

/* The database's error when it refused rows just now; the disk of another host cannot be read. */
#define FULL " full"
enum { LATELY_MS = 15 * 1000 };

struct readiness readiness_read(const struct ctx *ctx)
{
    struct readiness r = { .signer = false };

    r.signer = signer_ping(ctx->signer, &r.standing) == SIGNER_OK;
    r.signer_writes = r.signer && (r.standing & SIGNER_FULL) == 0;
    r.database = db_ready(ctx->db) && db_is_durable(ctx->db, &r.durable);
    r.schema = r.database && migrate_fit(ctx->db) == SCHEMA_FITS;
    r.writes = r.database && db_takes_writes(ctx->db);
    r.room = !disk_is_low() && !incident_lately("database_failed", FULL, LATELY_MS);
    r.nodes = nodes_work(ctx->nodes);
    if (r.schema) {
        r.executions_overdue = executions_overdue(ctx->db);
        r.orders_overdue = order_leases_overdue(ctx->db);
        r.webhooks_overdue = events_overdue(ctx->db);
    }
    return r;
}

void readiness_parts(const struct readiness *r, struct readiness_part out[static READINESS_PARTS])
{
    const struct readiness_part parts[READINESS_PARTS] = {
        { "database", r->database },           { "durable", r->durable }, { "schema", r->schema },
        { "database_writes", r->writes },      { "room", r->room },       { "signer", r->signer },
        { "signer_writes", r->signer_writes }, { "nodes", r->nodes },
    };

    memcpy(out, parts, sizeof parts);
}

bool readiness_is_given(const struct readiness *r)
{
    struct readiness_part parts[READINESS_PARTS];
    bool given = true;

    readiness_parts(r, parts);
    for (size_t i = 0; i < READINESS_PARTS; i++)
        given = given && parts[i].fine;
    return given;
}
