#include "base/gcra.h"

enum { US = 1000000 };

/* Rounded up: rounding must never give more than the quota. */
static int64_t interval(uint32_t units)
{
    return ((int64_t)GCRA_WINDOW_S * US + units - 1) / units;
}

/* Nobody can owe more than a whole burst. A number beyond that is of a clock that was set back since. */
static int64_t clamp(int64_t paid_us, int64_t now_us, int64_t burst_us)
{
    if (paid_us < now_us)
        return now_us;
    return paid_us - now_us > burst_us ? now_us + burst_us : paid_us;
}

static struct gcra state(int64_t paid_us, int64_t now_us, uint32_t units)
{
    int64_t each = interval(units), burst = each * units, free_us = now_us + burst - paid_us;
    struct gcra g = { .remaining = (uint32_t)(free_us / each) };

    g.allowed = g.remaining > 0;
    g.wait_us = g.remaining > 0 ? paid_us - now_us : each - free_us;
    return g;
}

struct gcra gcra_look(int64_t paid_us, int64_t now_us, uint32_t units)
{
    if (units == 0)
        return (struct gcra){ .allowed = true };
    return state(clamp(paid_us, now_us, interval(units) * units), now_us, units);
}

struct gcra gcra_take(int64_t *paid_us, int64_t now_us, uint32_t units)
{
    struct gcra g = gcra_look(*paid_us, now_us, units);

    if (units == 0) {
        *paid_us = *paid_us > now_us ? *paid_us : now_us;
        return g;
    }
    *paid_us = clamp(*paid_us, now_us, interval(units) * units);
    if (!g.allowed)
        return g;
    *paid_us += interval(units);
    g = state(*paid_us, now_us, units);
    g.allowed = true;
    return g;
}

int64_t gcra_seconds(int64_t us)
{
    return us <= 0 ? 0 : (us + US - 1) / US;
}
