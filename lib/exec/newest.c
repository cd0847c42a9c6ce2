#include "exec/newest.h"

#include "chain/rpc/node.h"
#include "chain/silence.h"

enum { DEADLINE_MS = 2000, BODY_MAX = 256, APART_MAX_MS = 600000 };

static bool lower_of(uint64_t *out, const struct chain *c, const uint64_t *said, size_t n)
{
    uint64_t least = n > 0 ? said[0] : 0, most = least;

    for (size_t i = 1; i < n; i++) {
        least = said[i] < least ? said[i] : least;
        most = said[i] > most ? said[i] : most;
    }
    *out = least;
    return n > 0 && most - least <= APART_MAX_MS / c->block_ms;
}

enum found newest_block(const struct ctx *ctx, struct arena *a, const struct chain *c, const char *method,
                        const char *params, bool (*read)(uint64_t *out, const struct rpc_answer *r),
                        uint64_t *block)
{
    struct buf body = BUF_INIT(BODY_MAX);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    uint64_t said[NODE_OPINIONS];
    size_t told = 0, answered;

    rpc_add(&b, method, "%s", params);
    rpc_end(&b);
    answered = node_ask_two(ctx, c, &b, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < answered; i++) {
        told += read(&said[told], &answers[i].items[0]);
        rpc_answers_free(&answers[i]);
    }
    buf_free(&body);
    if (lower_of(block, c, said, told))
        return FOUND_ONE;
    if (told > 0)
        (void)chain_senseless(c, "height");
    return nodes_known(ctx->nodes, c) ? FOUND_FAILED : FOUND_NONE;
}
