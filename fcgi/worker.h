/* A worker: accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch), until it is told
 * to stop. It keeps nothing between requests but its connections and prepared statements. One of those that
 * may wait ends when there is nothing more for it to do, after a burst: the parent forks others when they are
 * needed, and keeps some that have not worked yet, which are a third of its size and have no connections.
 * Those of the first numbers stay. */
#ifndef FCGI_WORKER_H
#define FCGI_WORKER_H

#include "scoreboard.h"
#include "service/ctx.h"

/* In the child: the program's exit status. `number` is its place among the workers of this host, and on the
 * scoreboard if it may wait. */
int worker_run(const struct ctx *shared, int listen_fd, struct scoreboard *board, unsigned number);

#endif
