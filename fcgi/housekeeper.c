#include "housekeeper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/admission/meter.h"
#include "base/arena.h"
#include "base/fault.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/rpc/node_health.h"
#include "child.h"
#include "net/call.h"
#include "operator/admin_series.h"
#include "route/provider_state.h"
#include "service/conf.h"
#include "service/disk.h"
#include "signals.h"
#include "signer/client.h"
#include "store/db.h"
#include "store/provider_results.h"
#include "store/restore_guard.h"
#include "store/series_counts.h"
#include "transfer/address.h"

enum {
    HOUSEKEEPER_MS = 2000,
    SIGNER_PINGS = 4,  /* unanswered in a row: the signer hangs */
    POLL_ROUNDS = 2,   /* from one look at the nodes to the next */
    CONNECTIONS = 64,  /* kept, to them */
    SERIES_ROUNDS = 3, /* from one addition to the series to the next */
    PURGE_ROUNDS = 30, /* from one removal of what is too old of them to the next */
};

/* A crash in between counts questions twice rather than not at all. */
static void providers_fold(struct db *db)
{
    struct provider_counts more;

    for (const struct provider *const *p = providers; *p != NULL; p++)
        if (provider_counts_new(*p, &more) && providers_add(db, (*p)->key, &more))
            provider_counts_kept(*p, &more);
}

static void housekeeper_fold(const struct ctx *ctx)
{
    meter_fold(ctx->meter, ctx->db);
    providers_fold(ctx->db);
    db_pause(ctx->db);
}

static void series_fold(const struct ctx *ctx)
{
    fault_bystander(true);
    (void)operator_fold_series(ctx);
    fault_bystander(false);
}

/* Once, when signer and database answer for the first time. */
static void readiness_check(struct scoreboard *shm_cache, const struct ctx *ctx, enum signer_status signer)
{
    if (signer == SIGNER_OK && !scoreboard_is_ready(shm_cache) && db_ready(ctx->db))
        scoreboard_ready(shm_cache);
}

int housekeeper_run(const struct ctx *shared, struct scoreboard *shm_cache)
{
    struct ctx ctx = *shared;
    struct arena *a = arena_new();
    unsigned unanswered = 0;
    int pulse = restore_guard_open(ctx.conf->signer_dir); /* while it may */
    enum signer_status signer;

    if (pulse < 0)
        log_error("pulse_file_failed", "msg=\"an older database will not be recognised\" reason=\"%s\"",
                  strerror(errno));
    ctx.db = db_from_conf(ctx.conf);
    ctx.signer = signer_new(ctx.conf->signer_socket);
    child_become(ctx.conf->worker_uid);
    ctx.net = net_new("agent-gateway/1", CONNECTIONS);
    for (unsigned round = 0; !stop_asked && unanswered < SIGNER_PINGS; round++) {
        housekeeper_fold(&ctx);
        if (pulse >= 0)
            (void)restore_guard_beat(ctx.db, pulse);
        address_revocations_take(&ctx, a);
        if (ctx.conf->disk_free_min > 0)
            disk_check(ctx.conf, db_directory(ctx.db, a));
        incidents_tell();
        signer = signer_ping(ctx.signer, NULL);
        unanswered = signer == SIGNER_AWAY ? unanswered + 1 : 0;
        readiness_check(shm_cache, &ctx, signer);
        if (round % SERIES_ROUNDS == 0)
            series_fold(&ctx);
        if (round % PURGE_ROUNDS == 0)
            (void)series_purge(ctx.db);
        if (round % POLL_ROUNDS == 0)
            nodes_probe(&ctx, a);
        arena_reset(a);
        usleep(HOUSEKEEPER_MS * 1000); /* a signal ends it early */
    }
    housekeeper_fold(&ctx);
    net_free(ctx.net);
    if (pulse >= 0)
        (void)close(pulse);
    signer_free(ctx.signer);
    db_free(ctx.db);
    arena_free(a);
    return stop_asked ? EXIT_SUCCESS : EXIT_SIGNER_SILENT;
}
