/* A worker: accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch), until it is told
 * to stop. It keeps nothing between requests but its connections and prepared statements. One of those that
 * may wait ends when there is nothing more for it to do, after a burst; the parent forks another, which is a
 * third of its size and has no connections. A few stay. */
#ifndef FCGI_WORKER_H
#define FCGI_WORKER_H

#include "service/ctx.h"

/* In the child: the program's exit status. `number` is its place among the workers of this host. */
int worker_run(const struct ctx *shared, int listen_fd, unsigned number);

#endif
