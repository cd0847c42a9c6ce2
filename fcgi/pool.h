/* The gateway's parent and its children: the signer, the workers, the keeper. It restarts whichever of them
 * ends, until it is told to stop. */
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
    int listen_fd;
    int signer_fd;
    unsigned workers;
    pid_t signer, keeper;
    pid_t worker[2 * WORKERS_MAX];
};

void pool_run(struct pool *p);
/* Workers finish their current request; the signer goes last, because they may need it for that. */
void pool_stop(struct pool *p);

#endif
