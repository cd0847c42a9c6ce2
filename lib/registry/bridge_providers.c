/* The bridge providers of bridges: the providers that trade between chains, each asked about its own. A new
 * one is a provider whose row has ask_status and read_status. */
#include "exec/bridge_provider.h"

#include "route/provider_service.h"
#include "route/provider_state.h"

static const struct provider *bridge_provider_of(const char *name)
{
    const struct provider *p = provider_find(name);

    return p == NULL || p->ask_status == NULL ? NULL : p;
}

/* One that sells us nothing any more may still tell of what it took. */
static bool bridge_provider_may_be_asked(const struct ctx *ctx, const struct provider *p)
{
    enum provider_health standing = provider_admits(ctx, p);

    return standing == PROVIDER_READY || standing == PROVIDER_REFUSED;
}

bool bridge_provider_ask(const char *bridge_provider, struct call *call, const struct ctx *ctx,
                         const struct bridge_in *in, struct arena *a)
{
    const struct provider *p = bridge_provider_of(bridge_provider);

    return p != NULL && provider_url(ctx, p) != NULL && bridge_provider_may_be_asked(ctx, p) &&
           p->ask_status(call, ctx, in, a);
}

void bridge_provider_read(const char *bridge_provider, const struct call *call, const struct bridge_in *in,
                          struct arena *a, struct bridge_status *out)
{
    const struct provider *p = bridge_provider_of(bridge_provider);
    enum ask_end end = provider_end(call);

    *out = (struct bridge_status){ .state = BRIDGE_UNKNOWN };
    if (p == NULL)
        return;
    p->read_status(call, in, a, out);
    /* No offer, by any answer; it may not have seen it yet. */
    provider_tell(p, call, end == ASK_OFFERED || call->status == 404 ? ASK_NO_ROUTE : end);
}
