/* The generic cell rate algorithm: a limit that is one number per caller. The number is the time at which
 * everything the caller took will have been paid back ("theoretical arrival time"); each unit advances it by
 * the time that one unit takes to refill. The burst is the whole quota, the refill is one quota per window.
 * Pure arithmetic: the time is a parameter, and nothing is kept here. */
#ifndef BASE_GCRA_H
#define BASE_GCRA_H

#include <stdbool.h>
#include <stdint.h>

enum { GCRA_WINDOW_S = 60, GCRA_UNITS_MAX = 1000000 };

/* A number of units per window; 0 units: no limit, everything is allowed, and the number only follows the
 * clock. */
struct rate_limit {
    uint32_t units, window_s;
};

static inline struct rate_limit rate_limit_per_minute(uint32_t units)
{
    return (struct rate_limit){ units, GCRA_WINDOW_S };
}

struct gcra {
    bool allowed;
    uint32_t remaining;
    /* Until a unit is back when none remains, else until all are. */
    int64_t wait_us;
};

/* Takes one unit of the limit at now_us. *paid_us is the caller's number, 0 at first; a refusal leaves it
 * unchanged. */
struct gcra gcra_take(int64_t *paid_us, int64_t now_us, struct rate_limit l);
/* The result that gcra_take would give, without taking anything. */
struct gcra gcra_peek(int64_t paid_us, int64_t now_us, struct rate_limit l);

/* Microseconds in whole seconds, rounded up, as headers carry them. */
int64_t gcra_seconds(int64_t us);

#endif
