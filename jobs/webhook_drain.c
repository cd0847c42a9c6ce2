/* webhook-drain: sends what is due in the outbox (lib/webhook/drain). */
#include "jobs/job.h"
#include "webhook/drain.h"

static int drain_step(struct job_ctx *jc)
{
    return webhooks_drain(&jc->ctx, job_stopping);
}

static const struct job job = { .name = "webhook-drain", .every_ms = DRAIN_POLL_MS, .step = drain_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
