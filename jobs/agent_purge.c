/* agent-purge: removes what deleted agents left. An agent whose swaps are still in flight is looked at again
 * every minute until they are settled. */
#include "base/log.h"
#include "jobs/job.h"
#include "store/purges.h"

enum { BATCH = 250 /* rows of each kind: some ten milliseconds */ };

/* Rows removed, or -1. */
static int64_t agent_purge(struct db *db, uint64_t agent_id)
{
    int64_t sum = 0, n;

    while ((n = purges_batch(db, agent_id, BATCH)) > 0 && !job_stopping())
        sum += n;
    if (n < 0 || (n == 0 && purges_end(db, agent_id) == DB_ERROR))
        return -1;
    return sum + n;
}

static int purge_step(struct job_ctx *jc)
{
    uint64_t agent_id = 0;
    enum lookup claimed = LOOKUP_NONE;

    while (!job_stopping() && (claimed = purges_claim(jc->db, &agent_id)) == LOOKUP_FOUND) {
        int64_t n = agent_purge(jc->db, agent_id);

        if (n < 0)
            return -1;
        if (n > 0)
            log_info("agent_purged", "agent=%llu removed=%lld", (unsigned long long)agent_id, (long long)n);
    }
    return claimed == LOOKUP_ERROR ? -1 : 0;
}

static const struct job job = { .name = "agent-purge", .every_ms = 10000, .step = purge_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
