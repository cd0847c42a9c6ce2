#include "webhook/expire.h"

#include "base/clock.h"
#include "service/conf.h"
#include "store/events.h"

enum { BATCH = 1000, TRIM_EVERY_MS = 60 * 1000 };

static bool events_expire_all(struct db *db, bool (*stopping)(void))
{
    int64_t n;

    do
        n = events_expire(db, BATCH);
    while (n > 0 && !stopping());
    return n >= 0;
}

static bool agent_trim(struct db *db, const struct event_crowd *agent, uint64_t limit)
{
    uint64_t over = agent->ended > limit ? agent->ended - limit : 0, part;

    for (; over > 0; over -= part) {
        part = over < BATCH ? over : BATCH;
        if (events_trim(db, agent->agent_id, part) < 0)
            return false;
    }
    return true;
}

static bool agents_trim(const struct ctx *ctx, struct arena *a, bool (*stopping)(void))
{
    struct event_crowd *list;
    int n = events_crowded(ctx->db, a, conf_quota_least(ctx->conf, QUOTA_EVENTS), &list);

    for (int i = 0; i < n && !stopping(); i++)
        if (!agent_trim(ctx->db, &list[i], conf_quota(ctx->conf, list[i].tier, QUOTA_EVENTS)))
            return false;
    return n >= 0;
}

bool webhooks_expire(const struct ctx *ctx, struct arena *a, bool (*stopping)(void))
{
    static int64_t next_trim_ms; /* it reads a row for each agent and kind of event: not in every step */
    int64_t now = clock_mono_ms();

    if (!events_expire_all(ctx->db, stopping))
        return false;
    if (now < next_trim_ms)
        return true;
    next_trim_ms = now + TRIM_EVERY_MS;
    return agents_trim(ctx, a, stopping);
}
