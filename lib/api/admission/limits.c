#include "api/admission/limits.h"

#include <string.h>

#include "api/admission/caller.h"
#include "api/admission/meter.h"
#include "base/clock.h"
#include "model/agent.h"
#include "service/conf.h"
#include "service/disk.h"

static const char FALLBACK_TIER[] = "standard";

enum {
    DAY_S = 24 * 60 * 60,
    STORAGE_S = 60,
    LOG_LINES = 60, /* a minute, of half a kilobyte: 43 MB a day */
};

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
    /* One that waited has taken its unit. */
    state = (c->rq->resumed == NULL ? meter_agent : meter_agent_peek)(c->ctx->meter, &c->agent->uuid,
                                                                      per_minute, clock_us());
    return limit_verdict(c, tier, per_minute, state);
}

static const struct err *take_address(struct api_call *c, enum meter_kind kind, const char *policy,
                                      uint32_t per_minute)
{
    struct ip_address from;

    if (per_minute == 0 || c->rq->resumed != NULL)
        return NULL;
    from = ip_address_counted(caller_address(c));
    return limit_verdict(
        c, policy, per_minute,
        meter_address(c->ctx->meter, kind, &from, rate_limit_per_minute(per_minute), clock_us()));
}

/* The client is not told of what it did not ask for. */
static const struct err *quiet_unless_refused(struct api_call *c, const struct err *e)
{
    if (e == NULL)
        c->limit.policy = NULL;
    return e;
}

/* ---- a day ---- */

static struct rate_limit of_day(const struct conf *conf, uint32_t units)
{
    return (struct rate_limit){ share_of_host(conf, units), DAY_S };
}

static const struct err *take_registration(struct api_call *c)
{
    const struct conf *conf = c->ctx->conf;
    struct rate_limit day = of_day(conf, conf->register_per_day);
    const struct err *e =
        take_address(c, METER_REGISTER, "register", share_of_host(conf, conf->register_per_minute));
    struct ip_address from;

    if (e != NULL || day.units == 0)
        return e;
    from = ip_address_counted(caller_address(c));
    return limit_verdict(c, "register-day", day.units,
                         meter_address(c->ctx->days, METER_REGISTER, &from, day, clock_us()));
}

static bool agent_has_traded(const struct agent *a)
{
    uint64_t n = a->swaps_completed + a->perps_orders + a->lend_operations;

    for (size_t i = 0; i < sizeof a->orders / sizeof a->orders[0]; i++)
        n += a->orders[i];
    return n > 0;
}

const struct err *limits_quote(struct api_call *c)
{
    const struct conf *conf = c->ctx->conf;
    bool traded = agent_has_traded(c->agent);
    struct rate_limit day = of_day(conf, traded ? conf->quotes_per_day : conf->quotes_per_day_untraded);
    struct ip_address owner;
    struct gcra g;

    if (day.units == 0)
        return NULL;
    memcpy(owner.bytes, c->agent->uuid.bytes, sizeof owner.bytes);
    g = meter_address(c->ctx->days, METER_QUOTES, &owner, day, clock_us());
    return g.allowed ? NULL
                     : err_wait(c->arena, &E_QUOTA_QUOTES, (unsigned)gcra_seconds(g.wait_us),
                                traded ? E_QUOTA_QUOTES.hint
                                       : "An agent that has not traded yet gets few quotes a day: "
                                         "more are possible later, or once it has");
}

uint64_t limits_quota(const struct api_call *c, enum quota kind)
{
    const struct conf *conf = c->ctx->conf;
    uint64_t quota = conf_quota(conf, c->agent->tier, kind);

    if (quota == QUOTA_NONE || conf->untraded_percent >= 100 || agent_has_traded(c->agent))
        return quota;
    quota = quota / 100 * conf->untraded_percent + quota % 100 * conf->untraded_percent / 100;
    return quota > 0 ? quota : 1;
}

const struct err *limits_take(struct api_call *c, const struct endpoint *ep)
{
    const struct conf *conf = c->ctx->conf;

    if ((ep->flags & STORES) && disk_is_low())
        return err_wait(c->arena, &E_STORAGE, STORAGE_S, E_STORAGE.hint);
    if (c->agent != NULL)
        return take_agent(c);
    switch (ep->limit) {
    case LIMIT_PUBLIC:
        return take_address(c, METER_PUBLIC, "public", share_of_host(conf, conf->public_per_minute));
    case LIMIT_REGISTER:
        return take_registration(c);
    case LIMIT_NONE:
        break;
    }
    return NULL;
}

const struct err *limits_unknown_key(struct api_call *c)
{
    uint32_t per_minute = share_of_host(c->ctx->conf, c->ctx->conf->unknown_keys_per_minute);

    return quiet_unless_refused(c, take_address(c, METER_UNKNOWN_KEY, "unknown-keys", per_minute));
}

const struct err *limits_refusal(struct api_call *c)
{
    uint32_t per_minute = share_of_host(c->ctx->conf, c->ctx->conf->public_per_minute);

    return quiet_unless_refused(c, take_address(c, METER_PUBLIC, "public", per_minute));
}

bool limits_log_line(struct api_call *c)
{
    struct ip_address from = ip_address_network(caller_address(c));

    return meter_address(c->ctx->meter, METER_LOG, &from, rate_limit_per_minute(LOG_LINES), clock_us())
        .allowed;
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
