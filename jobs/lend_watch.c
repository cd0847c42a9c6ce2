/* lend-watch: looks at wallets that owe something to lenders (lib/lend/watch_poll), all chains in turn. */
#include "chain/rpc/node.h"
#include "jobs/job.h"
#include "lend/watch_poll.h"
#include "venue/aave_calls.h"

enum { EVERY_MS = 60 * 1000 };

static int watch_step(struct job_ctx *jc)
{
    bool all = true;

    for (size_t i = 0; i < chains_count && !job_stopping(); i++) {
        if (contract_of(&chains[i], &aave_pool) == NULL || !nodes_known(jc->ctx.nodes, &chains[i]))
            continue;
        all = lend_watch_chain(&jc->ctx, jc->arena, &chains[i], job_stopping) && all;
        arena_reset(jc->arena);
    }
    return all ? 0 : -1;
}

static const struct job job = { .name = "lend-watch", .every_ms = EVERY_MS, .step = watch_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
