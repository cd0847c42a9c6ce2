/* take of gcra.c, by which gcra_take decides
 * @bounds all times up to the year 36000, all that is owed, every pace; from one request to the next, and so
 * on
 * @shows what is granted in any stretch of time, each unit at its share of the window, is never more than the
 * burst and the stretch; a refusal costs nothing
 * @unwind 2
 */
#include "base/gcra.c"
#include "proof.h"

enum { YEARS_BITS = 60 };

void harness(void)
{
    const int64_t end = (int64_t)1 << YEARS_BITS;
    ANY(struct pace, p);
    ANY(int64_t, since);
    ANY(int64_t, before);
    ANY(int64_t, now);
    ANY(int64_t, paid);
    ANY(int64_t, granted); /* since then, in time */
    int64_t was;
    struct gcra g;

    SUPPOSE(p.each_us > 0 && p.each_us <= p.burst_us && p.burst_us < end);
    SUPPOSE(since >= 0 && since <= before && before <= now && now < end && paid >= 0 && granted >= 0);
    /* At the first request, or after any other one. */
    SUPPOSE(granted == 0 || (paid <= before + p.burst_us && granted <= paid - since));
    was = clamp(paid, now, p);
    g = take(&paid, now, p);
    granted += g.allowed ? p.each_us : 0;
    MUST(granted == 0 || (paid <= now + p.burst_us && granted <= paid - since));
    MUST(granted <= now - since + p.burst_us);
    MUST(g.allowed || paid == was);
}
