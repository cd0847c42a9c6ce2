/* swap-poll: follows the executions that are in flight (lib/exec/follow). */
#include "exec/follow.h"
#include "jobs/job.h"

static int poll_step(struct job_ctx *jc)
{
    return follow_due(&jc->ctx, job_stopping) < 0 ? -1 : 0;
}

static const struct job job = { .name = "swap-poll", .every_ms = 500, .step = poll_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
