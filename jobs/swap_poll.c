/* swap-poll: follows the executions that are in flight (lib/exec/follow). */
#include "exec/follow.h"
#include "jobs/job.h"

static int poll_step(struct job_ctx *jc)
{
    int n = follow_due(&jc->ctx, jc->arena);

    /* What was looked at is due again only after a pause; a full batch means that more may be waiting. */
    return n >= FOLLOW_MAX ? n : n < 0 ? -1 : 0;
}

static const struct job job = { .name = "swap-poll", .every_ms = 500, .step = poll_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
