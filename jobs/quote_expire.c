/* quote-expire: removes quotes a day after they expired, until when the right message can be given for them,
 * answers recorded under an Idempotency-Key when their day is over, old tasks, what no policy looks back to,
 * and webhook events that ended 30 days ago or are too many. */
#include "base/clock.h"
#include "jobs/job.h"
#include "store/events.h"
#include "store/idempotency.h"
#include "store/policies.h"
#include "store/quotes.h"
#include "store/tasks.h"

enum { KEEP_S = 24 * 60 * 60, BATCH = 1000, TRIM_EVERY_MS = 60 * 1000 };

static int64_t quotes(struct db *db)
{
    return quotes_purge(db, KEEP_S, BATCH);
}

static int64_t answers(struct db *db)
{
    return idempotency_expire(db, BATCH);
}

static int64_t tasks(struct db *db)
{
    return tasks_expire(db, BATCH);
}

static int64_t policies(struct db *db)
{
    return policies_purge(db, BATCH);
}

/* Whoever has more ended events than his tier allows loses the oldest. */
static bool trim_events(struct job_ctx *jc)
{
    struct event_crowd *list;
    int n = events_crowded(jc->db, jc->arena, conf_quota_least(jc->conf, QUOTA_EVENTS), &list);

    for (int i = 0; i < n && !job_stopping(); i++) {
        uint64_t limit = conf_quota(jc->conf, list[i].tier, QUOTA_EVENTS), over, part;

        for (over = list[i].ended > limit ? list[i].ended - limit : 0; over > 0; over -= part) {
            part = over < BATCH ? over : BATCH;
            if (events_trim(jc->db, list[i].agent_id, part) < 0)
                return false;
        }
    }
    return n >= 0;
}

/* Looking for those reads a row for each agent and kind of event: now and then. */
static bool events(struct job_ctx *jc)
{
    static int64_t next_ms;
    int64_t n;

    do
        n = events_expire(jc->db, BATCH);
    while (n > 0 && !job_stopping());
    if (n < 0 || clock_mono_ms() < next_ms)
        return n >= 0;
    next_ms = clock_mono_ms() + TRIM_EVERY_MS;
    return trim_events(jc);
}

static bool remove_all(struct job_ctx *jc, int64_t (*batch)(struct db *))
{
    int64_t n;

    do
        n = batch(jc->db);
    while (n == BATCH && !job_stopping());
    return n >= 0;
}

static int purge(struct job_ctx *jc)
{
    return remove_all(jc, quotes) && remove_all(jc, answers) && remove_all(jc, tasks) &&
                   remove_all(jc, policies) && events(jc)
               ? 0
               : -1;
}

static const struct job job = { .name = "quote-expire", .every_ms = 10000, .step = purge };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
