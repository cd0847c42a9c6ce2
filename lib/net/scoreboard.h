/* The state of each worker, in memory that the parent and its workers share: right at any moment, even if
 * processes are killed. From it the parent sees how many are idle; a worker that takes a request and sees
 * that too few are left wakes it. */
#ifndef NET_SCOREBOARD_H
#define NET_SCOREBOARD_H

#include <stdbool.h>

/* The number of idle workers that are kept, until the pool is as large as it may become. */
enum { SPARE_WORKERS = 4 };

enum worker_state {
    WORKER_NONE,
    WORKER_DIED, /* it has to be replaced, and its successor releases what it held */
    WORKER_IDLE,
    WORKER_BUSY,
    WORKER_ENDING,
};

struct scoreboard;

/* Call before forking. Exits when there is no memory. */
struct scoreboard *scoreboard_new(unsigned workers);
void scoreboard_set(struct scoreboard *b, unsigned number, enum worker_state state);
enum worker_state scoreboard_get(const struct scoreboard *b, unsigned number);
unsigned scoreboard_size(const struct scoreboard *b); /* as it was made for */
unsigned scoreboard_count(const struct scoreboard *b, enum worker_state state);

/* In a worker that has taken a request; wakes the parent if that should fork more. */
void scoreboard_busy(struct scoreboard *b, unsigned number);
/* Called by the first worker that finds all of the service ready: wakes the parent, which logs it. */
void scoreboard_ready(struct scoreboard *b);
bool scoreboard_is_ready(const struct scoreboard *b);
/* Calls that wait for an execution and hold no worker (fcgi/parking.h), for monitors. */
void scoreboard_park(struct scoreboard *b, unsigned calls);
unsigned scoreboard_parked(const struct scoreboard *b);
/* In one that has nothing to do: whether enough others are idle too that it is to end. It is then not taken
 * for idle any more. */
bool scoreboard_leave(struct scoreboard *b, unsigned number);
/* Readable when the parent has been woken, which scoreboard_woken ends; to be called before the look at the
 * workers. */
int scoreboard_fd(const struct scoreboard *b);
void scoreboard_woken(const struct scoreboard *b);

#endif
