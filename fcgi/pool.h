/* The gateway's parent and its children: the signer, the workers, the keeper. It restarts whichever of them
 * ends, until it is told to stop. There are two kinds of workers, each with a socket: many that may wait for
 * third parties, and a few that never do, which therefore answer at once whatever the others wait for. */
#ifndef FCGI_POOL_H
#define FCGI_POOL_H

#include <sys/types.h>

#include "service/conf.h"
#include "service/ctx.h"

enum { WORKERS_MAX = 1024 };

struct pool {
    const struct conf *conf;
    struct ctx shared;
    const char *conf_path;
    const char *signer_program;
    int listen_fd; /* for any call */
    int fast_fd;   /* for calls that never wait for third parties */
    int signer_fd;
    unsigned workers, fast_workers;
    pid_t signer, keeper;
    pid_t worker[2 * WORKERS_MAX]; /* `workers` that may wait, then `fast_workers` */
};

void pool_run(struct pool *p);
/* Workers finish their current request; the signer goes last, because they may need it for that. */
void pool_stop(struct pool *p);

#endif
