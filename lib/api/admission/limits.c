#include "api/admission/limits.h"

#include "api/admission/meter.h"
#include "base/clock.h"
#include "model/agent.h"
#include "service/conf.h"

static const char FALLBACK_TIER[] = "standard";

static struct ip_address client(const struct request *rq)
{
    return ip_address_counted(ip_address_client(request_header(rq, "REMOTE_ADDR"),
                                                request_header(rq, "HTTP_X_FORWARDED_FOR"),
                                                rq->ctx->conf->trusted_proxies));
}

/* Each host counts for itself, and all together give at most twice the quota. */
static uint32_t share(const struct conf *conf, uint32_t units)
{
    uint32_t part = conf->hosts <= 2 ? units : (uint32_t)((uint64_t)units * 2 / conf->hosts);

    return units > 0 && part == 0 ? 1 : part;
}

static const struct err *verdict(struct request *rq, const char *policy, uint32_t units, struct gcra state)
{
    rq->limit.policy = policy;
    rq->limit.units = units;
    rq->limit.state = state;
    return state.allowed ? NULL : &E_RATE_LIMITED;
}

/* A tier that the operator took out of the settings counts as the usual one. */
static const struct err *take_agent(struct request *rq)
{
    const struct conf *conf = rq->ctx->conf;
    const char *tier = rq->agent->tier;
    unsigned per_minute;
    struct gcra state;

    if (!conf_tier(conf, tier, &per_minute)) {
        tier = FALLBACK_TIER;
        (void)conf_tier(conf, tier, &per_minute);
    }
    per_minute = share(conf, per_minute);
    state = meter_agent(rq->ctx->meter, &rq->agent->uuid, per_minute, clock_us());
    return verdict(rq, tier, per_minute, state);
}

static const struct err *take_address(struct request *rq, enum meter_kind kind, const char *policy,
                                      uint32_t per_minute)
{
    struct ip_address from;

    if (per_minute == 0)
        return NULL;
    from = client(rq);
    return verdict(rq, policy, per_minute,
                   meter_address(rq->ctx->meter, kind, &from, per_minute, clock_us()));
}

const struct err *limits_take(struct request *rq, const struct endpoint *ep)
{
    const struct conf *conf = rq->ctx->conf;

    if (rq->agent != NULL)
        return take_agent(rq);
    /* Whoever watches the service is not to be refused, least of all when it is under load. */
    if (ep->handler == ep_healthz || ep->handler == ep_readyz || ep->handler == ep_metrics)
        return NULL;
    if (ep->handler == ep_register)
        return take_address(rq, METER_REGISTER, "register", share(conf, conf->register_per_minute));
    return take_address(rq, METER_PUBLIC, "public", share(conf, conf->public_per_minute));
}

const struct err *limits_unknown_key(struct request *rq)
{
    uint32_t per_minute = share(rq->ctx->conf, rq->ctx->conf->unknown_keys_per_minute);
    const struct err *e = take_address(rq, METER_UNKNOWN_KEY, "unknown-keys", per_minute);

    if (e == NULL) /* what remains of it is nobody's business */
        rq->limit.policy = NULL;
    return e;
}

static void header(struct request *rq, struct reply *rp, const char *name, long long n)
{
    reply_header(rp, arena_printf(rq->arena, "%s: %lld", name, n));
}

/* Who is refused although the limit let him in would have waited with too many others. */
static void tell_busy(const struct request *rq, struct reply *rp)
{
    if (reply_status(rp) == E_BUSY.status && (rq->limit.policy == NULL || rq->limit.state.allowed))
        reply_header(rp, "Retry-After: 1");
}

void limits_tell(struct request *rq, struct reply *rp)
{
    const struct gcra *g = &rq->limit.state;
    int64_t wait = gcra_seconds(g->wait_us);

    tell_busy(rq, rp);
    if (rq->limit.policy == NULL || rq->limit.units == 0)
        return;
    reply_header(rp, arena_printf(rq->arena, "RateLimit-Policy: \"%s\";q=%u;w=%d", rq->limit.policy,
                                  rq->limit.units, (int)GCRA_WINDOW_S));
    reply_header(rp, arena_printf(rq->arena, "RateLimit: \"%s\";r=%u;t=%lld", rq->limit.policy, g->remaining,
                                  (long long)wait));
    header(rq, rp, "X-RateLimit-Limit", rq->limit.units);
    header(rq, rp, "X-RateLimit-Remaining", g->remaining);
    header(rq, rp, "X-RateLimit-Reset", gcra_seconds(clock_us() + g->wait_us));
    if (!g->allowed)
        header(rq, rp, "Retry-After", wait);
}
