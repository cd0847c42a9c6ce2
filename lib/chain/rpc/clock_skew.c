#include "chain/rpc/clock_skew.h"

#include <inttypes.h>

/* Blocks of a chain are some seconds old, and may be dated some seconds ahead; those of two chains that stand
 * still for as long as each other are none. */
enum { AHEAD_S = 90, BEHIND_S = 30, ALIKE_S = 60 };

void clock_skew_add(struct clock_skew *l, const struct chain *c, int64_t lag_s)
{
    l->least_s = l->nodes == 0 || lag_s < l->least_s ? lag_s : l->least_s;
    l->most_s = l->nodes == 0 || lag_s > l->most_s ? lag_s : l->most_s;
    l->chains += l->last != c;
    l->last = c;
    l->nodes++;
}

const char *clock_skew_text(const struct clock_skew *l, struct arena *a)
{
    if (l->nodes == 0 || l->most_s - l->least_s > ALIKE_S)
        return NULL;
    if (l->most_s < -BEHIND_S)
        return arena_printf(a, "this host's clock is %" PRId64 " s behind all nodes", -l->most_s);
    if (l->least_s > AHEAD_S && l->chains > 1)
        return arena_printf(a, "this host's clock is %" PRId64 " s ahead of all nodes", l->least_s);
    return NULL;
}
