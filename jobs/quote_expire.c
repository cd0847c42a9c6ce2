/* quote-expire: removes quotes a day after they expired (until then the right message can be given for them),
 * answers recorded under an Idempotency-Key when their day is over, old tasks, what no policy looks back to,
 * what third parties said and what accounts have become an hour ago, and webhook events that ended
 * (lib/webhook/expire). It also makes the marks by which far pages of GET /swaps are found
 * (lib/store/execution_marks), and asks whether the prediction venue serves this country
 * (lib/predict/predict_eligibility), and which perpetuals there are (lib/perps/perps_markets). */
#include "jobs/job.h"
#include "perps/perps_markets.h"
#include "predict/predict_eligibility.h"
#include "store/account_changes.h"
#include "store/execution_marks.h"
#include "store/idempotency_keys.h"
#include "store/policies.h"
#include "store/quotes.h"
#include "store/tasks.h"
#include "store/upstream_cache.h"
#include "webhook/expire.h"

enum { KEEP_S = 24 * 60 * 60, BATCH = 1000 };

static int64_t quotes_batch(struct db *db)
{
    return quotes_purge(db, KEEP_S, BATCH);
}

static int64_t answers_batch(struct db *db)
{
    return idempotency_expire(db, BATCH);
}

static int64_t tasks_batch(struct db *db)
{
    return tasks_expire(db, BATCH);
}

static int64_t policies_batch(struct db *db)
{
    return policies_purge(db, BATCH);
}

static int64_t marks_batch(struct db *db)
{
    return execution_marks_make(db, BATCH);
}

static int64_t upstream_batch(struct db *db)
{
    return upstream_cache_purge(db, BATCH);
}

static int64_t changes_batch(struct db *db)
{
    return account_changes_purge(db, BATCH);
}

static bool batches_do(struct job_ctx *jc, int64_t (*batch)(struct db *))
{
    int64_t n;

    do
        n = batch(jc->db);
    while (n == BATCH && !job_stopping());
    return n >= 0;
}

static int expire_step(struct job_ctx *jc)
{
    static int64_t (*const batches[])(struct db *) = { quotes_batch,   answers_batch, tasks_batch,
                                                       policies_batch, marks_batch,   upstream_batch,
                                                       changes_batch };

    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++)
        if (!batches_do(jc, batches[i]))
            return -1;
    geoblock_check(&jc->ctx, jc->arena);
    perps_assets_poll(&jc->ctx, jc->arena);
    return webhooks_expire(&jc->ctx, jc->arena, job_stopping) ? 0 : -1;
}

static const struct job job = { .name = "quote-expire", .every_ms = 10000, .step = expire_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
