#include "exec/evm/head.h"

#include "chain/evm/evm_rpc.h"
#include "chain/rpc/block_time.h"
#include "service/conf.h"

/* Not where the operator has set a depth. */
static bool asks_finalized(const struct ctx *ctx, const struct chain *c)
{
    return c->finality && conf_chain_number(ctx->conf, "settle_depth", c->key, 0) == 0;
}

struct head_at head_ask(struct rpc_batch *b, const struct ctx *ctx, const struct chain *c)
{
    struct head_at at = { .block = b->count };

    rpc_add(b, "eth_blockNumber", "[]");
    if (asks_finalized(ctx, c)) {
        at.finalized = b->count;
        rpc_add(b, "eth_getBlockByNumber", "[\"finalized\",false]");
    }
    return at;
}

/* 0 where it is not known: a node that calls its first block finalized has heard of no other. */
static uint64_t finalized_read(unsigned at, const struct rpc_answers *as, uint64_t head)
{
    uint64_t block;

    if (at == 0 || !rpc_member_u64(&block, as->items[at].result, "number"))
        return 0;
    return block <= head ? block : 0;
}

bool head_read(struct head *out, const struct ctx *ctx, const struct chain *c, struct head_at at,
               const struct rpc_answers *as)
{
    *out = (struct head){ .block = 0 };
    if (!rpc_u64(&out->block, &as->items[at.block]))
        return false;
    out->confirm = confirm_depth_of(ctx->conf, c);
    out->settle = settle_depth_of(ctx->conf, c);
    out->finalized = finalized_read(at.finalized, as, out->block);
    return true;
}

uint64_t block_depth(const struct head *h, uint64_t block)
{
    return block == 0 || block > h->block ? 0 : h->block - block + 1;
}

bool block_is_settled(const struct head *h, uint64_t block)
{
    if (h->finalized != 0)
        return block != 0 && block <= h->finalized;
    return block_depth(h, block) >= h->settle;
}
