/* A worker: accepts, reads (lib/http/request) and dispatches (lib/api/admission/dispatch), until it is told
 * to stop. It keeps nothing between requests but its connections and prepared statements. After a moment
 * without work it gives back memory; one of those that may wait ends after a while, if enough others are idle
 * too: the parent forks others when they are needed. Those of the first numbers stay. */
#ifndef FCGI_WORKER_H
#define FCGI_WORKER_H

#include "net/scoreboard.h"
#include "service/ctx.h"

/* In the child: the program's exit status. `number` is its place among the workers of this host, and on the
 * scoreboard if it may wait. */
int worker_run(const struct ctx *shared, int listen_fd, struct scoreboard *shm_cache, unsigned number);

#endif
