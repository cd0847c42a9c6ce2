/* quote-expire: removes quotes a day after they expired, until when the right message can be given for them,
 * answers recorded under an Idempotency-Key when their day is over, old tasks, and what no policy looks back
 * to. */
#include "jobs/job.h"
#include "store/idempotency.h"
#include "store/policies.h"
#include "store/quotes.h"
#include "store/tasks.h"

enum { KEEP_S = 24 * 60 * 60, BATCH = 1000 };

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
                   remove_all(jc, policies)
               ? 0
               : -1;
}

static const struct job job = { .name = "quote-expire", .every_ms = 10000, .step = purge };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
