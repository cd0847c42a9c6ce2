#include "route/best.h"

#include <string.h>

#include "chain/evm/node.h"
#include "core/log.h"
#include "route/feed.h"

enum { MAX_PROVIDERS = 16, SAME_CHAIN_MS = 2500, CROSS_CHAIN_MS = 8000 };

static int better_first(const void *x, const void *y)
{
    const struct offer *a = x, *b = y;
    int by_net = u256_cmp(b->net, a->net);

    return by_net != 0 ? by_net : u256_cmp(b->out, a->out);
}

/* The calls of all providers that support the pair. */
static size_t ask_all(const struct ctx *ctx, struct arena *a, const struct route_in *in, struct call *calls,
                      const struct provider **of)
{
    size_t n = 0;

    for (const struct provider *const *p = providers; *p != NULL && n < MAX_PROVIDERS; p++) {
        if (!(*p)->supports(in))
            continue;
        if ((*p)->ask(&calls[n], ctx, in, a))
            of[n++] = *p;
    }
    return n;
}

const struct err *route_offers(const struct ctx *ctx, struct arena *a, const struct route_in *in,
                               struct offer **out, size_t *count)
{
    bool cross = in->from_chain != in->to_chain;
    struct call calls[MAX_PROVIDERS + 1];
    const struct provider *of[MAX_PROVIDERS];
    size_t asked = ask_all(ctx, a, in, calls, of), answered = 0;
    bool feed = asked > 0 && in->wants_ideal && feed_ask(&calls[asked], ctx, a);

    *count = 0;
    *out = ARENA_ARRAY(a, struct offer, OFFERS_MAX);
    (void)calls_run(ctx->net, calls, asked + feed, cross ? CROSS_CHAIN_MS : SAME_CHAIN_MS);
    if (feed)
        feed_keep(&calls[asked]);
    for (size_t i = 0; i < asked; i++) {
        answered += calls[i].result == CALL_ANSWERED;
        *count += of[i]->read(&calls[i], in, a, *out + *count, OFFERS_MAX - *count);
        if (calls[i].result != CALL_ANSWERED)
            log_warn("msg=\"provider gave no answer\" provider=%s why=\"%s\"", of[i]->key, calls[i].why);
        call_free(&calls[i]);
    }
    if (*count > 0) {
        qsort(*out, *count, sizeof **out, better_first);
        return NULL;
    }
    if (asked > 0 && answered == 0)
        return node_silence(ctx, a, in->from_chain);
    return cross ? &E_NO_BRIDGE : &E_NO_LIQUIDITY;
}
