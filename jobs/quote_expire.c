/* quote-expire: removes quotes a day after they expired; until then the right message can be given for them.
 */
#include "jobs/job.h"
#include "store/quotes.h"

enum { KEEP_S = 24 * 60 * 60, BATCH = 1000 };

static int purge(struct job_ctx *jc)
{
    int64_t n;

    do
        n = quotes_purge(jc->db, KEEP_S, BATCH);
    while (n == BATCH && !job_stopping());
    return n < 0 ? -1 : 0;
}

static const struct job job = { .name = "quote-expire", .every_ms = 10000, .step = purge };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
