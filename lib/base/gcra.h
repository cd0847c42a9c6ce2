/* The generic cell rate algorithm: a limit that is one number per caller. The number is the time at which
 * everything the caller took will have been paid back ("theoretical arrival time"); a unit moves it on by
 * the time that one unit takes to come back. Burst is the whole quota, refill is quota per window. Pure
 * arithmetic: time comes in, nothing is kept here. */
#ifndef BASE_GCRA_H
#define BASE_GCRA_H

#include <stdbool.h>
#include <stdint.h>

enum { GCRA_WINDOW_S = 60, GCRA_UNITS_MAX = 1000000 };

struct gcra {
    bool allowed;
    uint32_t remaining;
    /* Until a unit is back when none remains, else until all are. */
    int64_t wait_us;
};

/* Takes one of `units` per window at now_us; *paid_us is the caller's number, 0 at first, and stays where a
 * unit is refused. units 0 is no limit: always allowed, and the number only follows the clock. */
struct gcra gcra_take(int64_t *paid_us, int64_t now_us, uint32_t units);
/* What gcra_take would find, taking nothing: whether one would be allowed, what remains before it. */
struct gcra gcra_look(int64_t paid_us, int64_t now_us, uint32_t units);

/* Microseconds as the whole seconds that headers have, never less than the time meant. */
int64_t gcra_seconds(int64_t us);

#endif
