#include "api/admission/limits.h"

#include "api/admission/caller.h"
#include "api/admission/meter.h"
#include "base/clock.h"
#include "model/agent.h"
#include "service/conf.h"

static const char FALLBACK_TIER[] = "standard";

/* Each host counts by itself; together they allow at most twice the quota. */
static uint32_t share_of_host(const struct conf *conf, uint32_t units)
{
    uint32_t part = conf->hosts <= 2 ? units : (uint32_t)((uint64_t)units * 2 / conf->hosts);

    return units > 0 && part == 0 ? 1 : part;
}

static const struct err *limit_verdict(struct api_call *c, const char *policy, uint32_t units,
                                       struct gcra state)
{
    c->limit.policy = policy;
    c->limit.units = units;
    c->limit.state = state;
    return state.allowed ? NULL : &E_RATE_LIMITED;
}

/* A tier that the operator removed from the settings counts as the standard one. */
static const struct err *take_agent(struct api_call *c)
{
    const struct conf *conf = c->ctx->conf;
    const char *tier = c->agent->tier;
    unsigned per_minute;
    struct gcra state;

    if (!conf_tier(conf, tier, &per_minute)) {
        tier = FALLBACK_TIER;
        (void)conf_tier(conf, tier, &per_minute);
    }
    per_minute = share_of_host(conf, per_minute);
    state = meter_agent(c->ctx->meter, &c->agent->uuid, per_minute, clock_us());
    return limit_verdict(c, tier, per_minute, state);
}

static const struct err *take_address(struct api_call *c, enum meter_kind kind, const char *policy,
                                      uint32_t per_minute)
{
    struct ip_address from;

    if (per_minute == 0)
        return NULL;
    from = ip_address_counted(caller_address(c));
    return limit_verdict(c, policy, per_minute,
                         meter_address(c->ctx->meter, kind, &from, per_minute, clock_us()));
}

const struct err *limits_take(struct api_call *c, const struct endpoint *ep)
{
    const struct conf *conf = c->ctx->conf;

    if (c->agent != NULL)
        return take_agent(c);
    switch (ep->limit) {
    case LIMIT_PUBLIC:
        return take_address(c, METER_PUBLIC, "public", share_of_host(conf, conf->public_per_minute));
    case LIMIT_REGISTER:
        return take_address(c, METER_REGISTER, "register", share_of_host(conf, conf->register_per_minute));
    case LIMIT_NONE:
        break;
    }
    return NULL;
}

const struct err *limits_unknown_key(struct api_call *c)
{
    uint32_t per_minute = share_of_host(c->ctx->conf, c->ctx->conf->unknown_keys_per_minute);
    const struct err *e = take_address(c, METER_UNKNOWN_KEY, "unknown-keys", per_minute);

    if (e == NULL) /* the client is not told what remains of it */
        c->limit.policy = NULL;
    return e;
}

static void header_add_number(struct api_call *c, struct reply *rp, const char *name, long long n)
{
    reply_header(rp, arena_printf(c->arena, "%s: %lld", name, n));
}

/* A call that the limit admitted may still be refused, because too many others are waiting, or
 * as it is too soon. */
static void wait_add_header(struct api_call *c, struct reply *rp)
{
    const struct err *e = reply_error(rp);

    if (e != NULL && (err_is(e, &E_BUSY) || e->wait_s > 0) &&
        (c->limit.policy == NULL || c->limit.state.allowed))
        header_add_number(c, rp, "Retry-After", e->wait_s > 0 ? e->wait_s : 1);
}

void limits_add_headers(struct api_call *c, struct reply *rp)
{
    const struct gcra *g = &c->limit.state;
    int64_t wait = gcra_seconds(g->wait_us);

    wait_add_header(c, rp);
    if (c->limit.policy == NULL || c->limit.units == 0)
        return;
    reply_header(rp, arena_printf(c->arena, "RateLimit-Policy: \"%s\";q=%u;w=%d", c->limit.policy,
                                  c->limit.units, (int)GCRA_WINDOW_S));
    reply_header(rp, arena_printf(c->arena, "RateLimit: \"%s\";r=%u;t=%lld", c->limit.policy, g->remaining,
                                  (long long)wait));
    header_add_number(c, rp, "X-RateLimit-Limit", c->limit.units);
    header_add_number(c, rp, "X-RateLimit-Remaining", g->remaining);
    header_add_number(c, rp, "X-RateLimit-Reset", gcra_seconds(clock_us() + g->wait_us));
    if (!g->allowed)
        header_add_number(c, rp, "Retry-After", wait);
}
