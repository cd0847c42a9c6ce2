#include "base/gcra.h"

enum { US = 1000000 };

/* A limit as time: of one unit, and of all. */
struct pace {
    int64_t each_us, burst_us;
};

/* Rounded up: rounding must never give more than the quota. */
static struct pace pace_of(struct rate_limit l)
{
    int64_t each_us = ((int64_t)l.window_s * US + l.units - 1) / l.units;

    return (struct pace){ each_us, each_us * l.units };
}

/* A caller can owe at most a whole burst. A larger number is from before the clock was set back. */
static int64_t clamp(int64_t paid_us, int64_t now_us, struct pace p)
{
    if (paid_us < now_us)
        return now_us;
    return paid_us - now_us > p.burst_us ? now_us + p.burst_us : paid_us;
}

static struct gcra state(int64_t paid_us, int64_t now_us, struct pace p)
{
    int64_t free_us = now_us + p.burst_us - paid_us;
    bool allowed = free_us >= p.each_us;

    return (struct gcra){
        .allowed = allowed,
        .remaining = (uint32_t)(free_us / p.each_us),
        .wait_us = allowed ? paid_us - now_us : p.each_us - free_us,
    };
}

static struct gcra take(int64_t *paid_us, int64_t now_us, struct pace p)
{
    struct gcra g;

    *paid_us = clamp(*paid_us, now_us, p);
    g = state(*paid_us, now_us, p);
    if (!g.allowed)
        return g;
    *paid_us += p.each_us;
    g = state(*paid_us, now_us, p);
    g.allowed = true;
    return g;
}

struct gcra gcra_peek(int64_t paid_us, int64_t now_us, struct rate_limit l)
{
    struct pace p;

    if (l.units == 0)
        return (struct gcra){ .allowed = true };
    p = pace_of(l);
    return state(clamp(paid_us, now_us, p), now_us, p);
}

struct gcra gcra_take(int64_t *paid_us, int64_t now_us, struct rate_limit l)
{
    if (l.units > 0)
        return take(paid_us, now_us, pace_of(l));
    *paid_us = *paid_us > now_us ? *paid_us : now_us;
    return (struct gcra){ .allowed = true };
}

int64_t gcra_seconds(int64_t us)
{
    return us <= 0 ? 0 : (us + US - 1) / US;
}
