#include "chain/unavailable.h"

#include <stdio.h>

#include "base/incident.h"
#include "net/bulkhead.h"

enum { BEHIND_S = 2 };

unsigned chain_lane(const struct chain *c)
{
    return (unsigned)(c - chains) % BULKHEAD_CHAINS;
}

const struct err *chain_unavailable(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    if (ctx->bulkhead != NULL && bulkhead_lane_was_full(ctx->bulkhead, chain_lane(c)))
        return err_hint(
            a, &E_BUSY,
            arena_printf(a, "Too many calls are waiting for the chain '%s': try again in a second", c->key));
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a, "No node of the chain '%s' answers in time: retry with backoff", c->key));
}

const struct err *chain_behind(struct arena *a, const struct chain *c)
{
    return err_wait(
        a, &E_BEHIND, BEHIND_S,
        arena_printf(a,
                     "The nodes of the chain '%s' do not show the wallet's last transaction there "
                     "yet: nothing was done, repeat the same request in a few seconds",
                     c->key));
}

const struct err *chain_senseless(const struct chain *c, const char *asked_for)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "chain=%s asked_for=%s", c->key, asked_for);
    log_repeated("node_bad_reply", about, "msg=\"a node's answer makes no sense\"");
    return &E_UPSTREAM;
}
