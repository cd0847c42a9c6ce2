/* The share of one agent in the drain's places: its window is the number of its deliveries that may be in
 * flight. A window grows with every prompt answer and is halved by every slow one, so that a receiver which
 * answers late holds a few places and a prompt one may hold all of them. */
#ifndef WEBHOOK_SHARE_H
#define WEBHOOK_SHARE_H

#include <stdbool.h>

#include "model/event.h"

enum {
    DRAIN_IN_FLIGHT = 100,
    DRAIN_HELD_MAX = 2048, /* claimed: waiting, in flight or not yet recorded */
};

struct share {
    unsigned window; /* 0: not seen yet */
    unsigned flying;
    unsigned held;
};

/* Before the first delivery. An agent that is first seen with a repeated delivery counts as slow until it
 * shows otherwise. */
void share_meet(struct share *s, const struct event *e);
bool share_is_slow(const struct share *s);
/* The number of the agent's events that may be held: only a small stock for a slow one. */
unsigned share_stock(const struct share *s);
/* After an answer, or when it has been missing for too long. */
void share_learn(struct share *s, bool slow);

#endif
