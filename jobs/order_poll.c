/* order-poll: follows orders on prediction markets (lib/predict/order_poll) and orders and positions in
 * perpetuals (lib/perps/order_poll). */
#include "perps/order_poll.h"

#include "jobs/job.h"
#include "predict/order_poll.h"

static int poll_step(struct job_ctx *jc)
{
    int predicted = order_poll(&jc->ctx, job_stopping), traded = perps_poll(&jc->ctx, job_stopping);

    return predicted < 0 || traded < 0 ? -1 : predicted + traded;
}

static const struct job job = { .name = "order-poll", .every_ms = 500, .step = poll_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
