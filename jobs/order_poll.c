/* order-poll: follows orders at all venues, and positions in perpetuals (lib/orders/poll). */
#include "orders/poll.h"

#include "jobs/job.h"

static int poll_step(struct job_ctx *jc)
{
    return orders_poll(&jc->ctx, job_stopping);
}

static const struct job job = { .name = "order-poll", .every_ms = 500, .step = poll_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
