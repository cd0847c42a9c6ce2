/* Limits how many of the workers that may wait compute at once. There are many of them, so that some are left
 * when others wait for third parties; computing, more than a few for each core only displace each other from
 * the caches of processor and database. In a burst, workers that have just answered a request take the next
 * ones, and idle workers stay idle until one of them waits. It is advice in shared memory, renewed with each
 * request: a worker that has not got further for a moment, be it killed, in a database lock or with a slow
 * disk, does not count, so nothing can be held up for longer. */
#ifndef NET_TURNS_H
#define NET_TURNS_H

#include <stdbool.h>

struct turns;

/* Call before forking. Exits when there is no memory. */
struct turns *turns_new(unsigned workers, unsigned at_once);
void turns_free(struct turns *t);
/* In the child: makes it worker number `own`. */
void turns_own(struct turns *t, unsigned own);

/* In a worker that computes, and in one that does not any more. A turn is never refused. NULL: no worker. */
void turn_take(struct turns *t);
void turn_give(struct turns *t);

/* In a worker that was idle and could take a request: returns when few enough compute, or at a signal.
 * NULL: at once. */
void turns_await(const struct turns *t);

#endif
