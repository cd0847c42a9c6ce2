/* order-poll: follows orders on prediction markets (lib/predict/order_poll). */
#include "predict/order_poll.h"
#include "jobs/job.h"

static int poll_step(struct job_ctx *jc)
{
    return order_poll(&jc->ctx, job_stopping);
}

static const struct job job = { .name = "order-poll", .every_ms = 500, .step = poll_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
