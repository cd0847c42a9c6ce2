#include "api/admission/api_call.h"

struct api_call api_call_of(struct ctx *ctx, struct request *rq)
{
    return (struct api_call){ .rq = rq, .ctx = ctx, .arena = rq->arena, .path = rq->path };
}

struct api_call api_call_for(struct api_call *parent, const struct endpoint *ep)
{
    struct api_call c = api_call_of(parent->ctx, parent->rq);

    c.parent = parent;
    c.endpoint = ep;
    c.agent = parent->agent;
    memcpy(c.key_hash, parent->key_hash, sizeof c.key_hash);
    c.admitted = parent->admitted;
    c.limit = parent->limit;
    return c;
}
