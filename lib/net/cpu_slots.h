/* Limits how many of the workers that may wait compute at once. There are many of them, so that some are left
 * when others wait for third parties; computing, more than a few for each core only displace each other from
 * the caches of processor and database. In a burst, workers that have just answered a request take the next
 * ones, and idle workers stay idle until one of them waits. It is advice in shared memory, renewed with each
 * request: a worker that has not got further for a moment, be it killed, in a database lock or with a slow
 * disk, does not count, so nothing can be held up for longer. */
#ifndef NET_CPU_SLOTS_H
#define NET_CPU_SLOTS_H

#include <stdbool.h>

struct cpu_slots;

/* Call before forking. Exits when there is no memory. */
struct cpu_slots *cpu_slots_new(unsigned workers, unsigned at_once);
void cpu_slots_free(struct cpu_slots *t);
/* In the child: makes it worker number `own`. */
void cpu_slots_own(struct cpu_slots *t, unsigned own);

/* In a worker that computes, and in one that does not any more. A turn is never refused. NULL: no worker. */
void cpu_slot_take(struct cpu_slots *t);
void cpu_slot_give(struct cpu_slots *t);

/* In a worker that was idle and could take a request: returns when few enough compute, or at a signal.
 * NULL: at once. */
void cpu_slots_await(const struct cpu_slots *t);

#endif
