#include "webhook/share.h"

enum {
    WINDOW_MIN = 4,
    WINDOW_FIRST = 8,
    WINDOW_GROWTH = 2, /* for each prompt answer: threefold with each round */
    STOCK_SLOW = 24,
    STOCK_FIRST = 256,
};

void share_meet(struct share *s, const struct event *e)
{
    if (s->window == 0)
        s->window = e->attempts > 0 ? WINDOW_MIN : WINDOW_FIRST;
}

bool share_is_slow(const struct share *s)
{
    return s->window > 0 && s->window < WINDOW_FIRST;
}

unsigned share_stock(const struct share *s)
{
    return share_is_slow(s) ? STOCK_SLOW : s->window > WINDOW_FIRST ? DRAIN_HELD_MAX : STOCK_FIRST;
}

void share_learn(struct share *s, bool slow)
{
    if (slow)
        s->window = s->window / 2 > WINDOW_MIN ? s->window / 2 : WINDOW_MIN;
    else if (s->window < DRAIN_IN_FLIGHT)
        s->window += WINDOW_GROWTH;
}
