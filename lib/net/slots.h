/* How many workers of a host wait for others (nodes, aggregators, callbacks): at most half of `waiting` for
 * one agent or in one lane, and `waiting` in all; beside those, a third more never do. A lane is what is slow
 * together, such as the nodes of a chain: one that hangs leaves room for the others. Beyond a half one
 * queues, among `waiting` too, as long as everybody gets on, so that a burst is no overload; once most have
 * waited for long, nobody does for a while. Each worker has one place in shared memory, which its successor
 * clears: a killed worker holds nothing. */
#ifndef NET_SLOTS_H
#define NET_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS_LANES = 64 };

struct slots;

/* The workers that there are. */
unsigned slots_count(unsigned waiting);
/* Before the forks. Ends the program when there is no memory. */
struct slots *slots_new(unsigned waiting);
void slots_free(struct slots *s);
/* In the child: it is worker `own` of them from now on. */
void slots_own(struct slots *s, unsigned own);

/* Around the work on a request that waits for others; within itself it counts once. false: too many wait
 * already. */
bool slots_enter(struct slots *s, uint64_t agent_id);
void slots_leave(struct slots *s);

/* Around waiting in a lane, likewise. */
bool slots_take_lane(struct slots *s, unsigned lane);
void slots_give_lane(struct slots *s, unsigned lane);
/* Whether the lane was full since the outermost slots_enter. */
bool slots_lane_was_full(const struct slots *s, unsigned lane);

#endif
