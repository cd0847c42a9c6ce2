/* token-refresh: takes over the lists of tokens that providers publish (lib/swap/token_lists), and of
 * markets that Morpho's catalogue does (lib/lend/listings), once for each chain. */
#include "chain/chains.h"
#include "jobs/job.h"
#include "lend/listings.h"
#include "swap/token_lists.h"

enum { EVERY_MS = 3600 * 1000 };

static int refresh_step(struct job_ctx *jc)
{
    bool all = true;

    for (size_t i = 0; i < chains_count && !job_stopping(); i++) {
        all = token_refresh(&jc->ctx, jc->arena, &chains[i]) && all;
        all = lend_listings_refresh(&jc->ctx, jc->arena, &chains[i]) && all;
        arena_reset(jc->arena);
    }
    return all ? 0 : -1;
}

static const struct job job = { .name = "token-refresh", .every_ms = EVERY_MS, .step = refresh_step };

int main(int argc, char **argv)
{
    return job_main(argc, argv, &job);
}
