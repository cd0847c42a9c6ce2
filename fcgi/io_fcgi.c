#include "io_fcgi.h"

#include <sys/socket.h>

static const char *fcgi_param(struct io *io, const char *name)
{
    struct io_fcgi *f = (struct io_fcgi *)io;

    return FCGX_GetParam(name, f->request.envp);
}

static size_t fcgi_read(struct io *io, void *to, size_t max)
{
    struct io_fcgi *f = (struct io_fcgi *)io;
    int n = FCGX_GetStr(to, (int)max, f->request.in);

    /* Apache ends the stream like a complete one when a client breaks off; libfcgi knows better. */
    if (FCGX_GetError(f->request.in) != 0)
        io->broken = true;
    return n > 0 ? (size_t)n : 0;
}

static void fcgi_write(struct io *io, const void *from, size_t n)
{
    struct io_fcgi *f = (struct io_fcgi *)io;

    (void)FCGX_PutStr(from, (int)n, f->request.out);
}

bool io_fcgi_init(struct io_fcgi *f, int listen_fd)
{
    f->io = (struct io){ .param = fcgi_param, .read = fcgi_read, .write = fcgi_write };
    return FCGX_Init() == 0 && FCGX_InitRequest(&f->request, listen_fd, FCGI_FAIL_ACCEPT_ON_INTR) == 0;
}

/* By itself libfcgi drops a connection whose first byte is still to come when a signal does. A connection
 * that it finds open it takes, provided that it seems to be a kept one. */
bool io_fcgi_accept(struct io_fcgi *f)
{
    FCGX_Request *rq = &f->request;

    f->io.broken = false;
    if (rq->ipcFd < 0) {
        rq->ipcFd = accept4(rq->listen_sock, NULL, NULL, SOCK_CLOEXEC);
        rq->keepConnection = 1;
    }
    return rq->ipcFd >= 0 && FCGX_Accept_r(rq) == 0;
}

void io_fcgi_finish(struct io_fcgi *f)
{
    FCGX_Finish_r(&f->request);
}
