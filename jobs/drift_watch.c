/* drift-watch: asks whom this service asks a known question (lib/drift), all of them once an hour, and a
 * provider or a venue whose answers leave in doubt whether it serves this service within a minute. */
#include "base/clock.h"
#include "drift/drift.h"
#include "jobs/job.h"
#include "net/venues.h"
#include "route/provider_service.h"
#include "route/provider_state.h"

enum { EVERY_MS = 60 * 1000, ROUND_MS = 3600 * 1000, EARLY_MS = 30 * 1000 };

static void doubts_ask(struct job_ctx *jc)
{
    for (const struct provider *const *p = providers_on(&jc->ctx, jc->arena); *p != NULL && !job_stopping();
         p++) {
        const struct drift_check poll = { .name = (*p)->key };

        if (provider_is_in_doubt(*p))
            (void)drift_run(&jc->ctx, &poll);
    }
    for (enum venue_service v = 0; v < VENUE_SERVICES && !job_stopping(); v++)
        if (venue_is_in_doubt(v))
            (void)drift_run(&jc->ctx, &(struct drift_check){ .name = venue_service_name(v) });
}

static void incidents_ask(struct job_ctx *jc)
{
    struct drift_report *all = ARENA_ARRAY(jc->arena, struct drift_report, DRIFT_REPORTS_MAX);
    size_t n = drift_reports(all);

    for (size_t i = 0; i < n && !job_stopping(); i++)
        if (drift_is_due(&all[i], clock_ms()))
            (void)drift_run(&jc->ctx, &(struct drift_check){ .name = all[i].name });
}

static void round_ask(struct job_ctx *jc)
{
    int64_t begun_ms = clock_ms();

    (void)drift_run(&jc->ctx, &(struct drift_check){ .name = NULL });
    drift_forget(begun_ms);
}

static int watch_step(struct job_ctx *jc)
{
    if (!jc->conf->drift_watch)
        return 0;
    if (drift_take_round(clock_ms(), ROUND_MS - EARLY_MS)) {
        round_ask(jc);
    } else {
        doubts_ask(jc);
        incidents_ask(jc);
    }
    return 0;
}

static const struct job job = { .name = "drift-watch", .every_ms = EVERY_MS, .step = watch_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
