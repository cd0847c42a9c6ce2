/* The process that holds the calls which wait (parking.h). It looks at all executions that they wait for with
 * a query every moment. When one has ended, or a call's time is over, it sends the
 * call's request to a worker as the web server did, marked as resumed, and passes the worker's answer on byte
 * for byte. When it is stopped it does so with all at once. Killed at any moment it loses connections, and no
 * outcome: what a call has begun goes on, and a repeat under its Idempotency-Key gets the answer. */
#ifndef FCGI_PARKER_H
#define FCGI_PARKER_H

#include "net/scoreboard.h"
#include "parking.h"
#include "service/ctx.h"

/* In the child, with the path of the socket of workers: the program's exit status. */
int parker_run(const struct ctx *shared, struct parking *parking, struct scoreboard *scoreboard,
               const char *workers);

#endif
