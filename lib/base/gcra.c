#include "base/gcra.h"

enum { US = 1000000 };

/* Rounded up: rounding must never give more than the quota. */
static int64_t interval(struct rate_limit l)
{
    return ((int64_t)l.window_s * US + l.units - 1) / l.units;
}

/* Nobody can owe more than a whole burst. A number beyond that is of a clock that was set back since. */
static int64_t clamp(int64_t paid_us, int64_t now_us, int64_t burst_us)
{
    if (paid_us < now_us)
        return now_us;
    return paid_us - now_us > burst_us ? now_us + burst_us : paid_us;
}

static struct gcra state(int64_t paid_us, int64_t now_us, struct rate_limit l)
{
    int64_t each = interval(l), burst = each * l.units, free_us = now_us + burst - paid_us;
    struct gcra g = { .remaining = (uint32_t)(free_us / each) };

    g.allowed = g.remaining > 0;
    g.wait_us = g.remaining > 0 ? paid_us - now_us : each - free_us;
    return g;
}

struct gcra gcra_look(int64_t paid_us, int64_t now_us, struct rate_limit l)
{
    if (l.units == 0)
        return (struct gcra){ .allowed = true };
    return state(clamp(paid_us, now_us, interval(l) * l.units), now_us, l);
}

struct gcra gcra_take(int64_t *paid_us, int64_t now_us, struct rate_limit l)
{
    struct gcra g = gcra_look(*paid_us, now_us, l);

    if (l.units == 0) {
        *paid_us = *paid_us > now_us ? *paid_us : now_us;
        return g;
    }
    *paid_us = clamp(*paid_us, now_us, interval(l) * l.units);
    if (!g.allowed)
        return g;
    *paid_us += interval(l);
    g = state(*paid_us, now_us, l);
    g.allowed = true;
    return g;
}

int64_t gcra_seconds(int64_t us)
{
    return us <= 0 ? 0 : (us + US - 1) / US;
}
