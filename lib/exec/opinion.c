#include "exec/opinion.h"

#include "chain/rpc/node_health.h"

bool opinions_differ(const struct ctx *ctx, const struct chain *c)
{
    return nodes_count(ctx->nodes, c) >= NODE_OPINIONS;
}

size_t opinions_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *a, struct rpc_answers out[static NODE_OPINIONS])
{
    return opinions_differ(ctx, c) ? node_ask_two(ctx, c, batch, deadline_ms, a, out)
                                   : node_ask(ctx, c, batch, deadline_ms, a, &out[0]);
}

size_t opinions_all(const struct ctx *ctx, const struct chain *c)
{
    return opinions_differ(ctx, c) ? NODE_OPINIONS : 1;
}

bool opinions_differ_anywhere(const struct ctx *ctx)
{
    for (size_t i = 0; i < chains_count; i++)
        if (opinions_differ(ctx, &chains[i]))
            return true;
    return false;
}

struct ctx opinion_second(const struct ctx *ctx)
{
    struct ctx second = *ctx;

    second.second_opinion = true;
    return second;
}

bool opinions_do(const struct ctx *ctx, const struct chain *c, size_t agreed, int64_t waited_ms,
                 int64_t patience_ms)
{
    return agreed >= NODE_OPINIONS || (agreed > 0 && (!opinions_differ(ctx, c) || waited_ms >= patience_ms));
}
