#include "route/onchain.h"
#include "chain/evm/evm_rpc.h"

bool onchain_begin(struct onchain *o, void *owner, struct call *call, const struct ctx *ctx,
                   const struct route_in *in, const struct multicall *m, struct arena *a)
{
    struct buf data = BUF_INIT(ONCHAIN_BYTES);

    *o = (struct onchain){ .body = BUF_INIT(MAX_UPSTREAM) };
    multicall_finish(m, &data);
    o->batch = rpc_begin(&o->body);
    multicall_call(&o->batch, &data);
    rpc_end(&o->batch);
    buf_free(&data);
    o->query = (struct node_query){ .chain = in->from_chain,
                                    .batch = &o->batch,
                                    .role = in->verifies ? NODE_VERIFY : NODE_READ,
                                    .owner = owner };
    if (node_begin(call, ctx, &o->query, a))
        return true;
    buf_free(&o->body);
    return false;
}

void *onchain_owner(const struct call *call)
{
    const struct node_query *q = call->owner;

    return q->owner;
}

bool onchain_end(struct onchain *o, struct multicall_results *out, struct arena *a)
{
    bool read;

    buf_free(&o->body);
    if (!node_end(&o->query))
        return false;
    read = rpc_bytes(&out->data, &out->len, a, &o->query.answers.items[0]);
    rpc_answers_free(&o->query.answers);
    return read;
}
