#include "io_fcgi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/cpu_slots.h"
#include "records.h"
#include "signals.h"

/* Web servers hand over whole requests, and take whole answers; those of a home or of a CGI program may not.
 */
enum {
    READ_SILENCE_S = 5,
    READ_MS = 10 * 1000,
    WRITE_MS = 5 * 1000,
    WRITE_BYTES_A_MS = 8, /* 8 kB a second at least */
    SIGNALS_MS = 10,      /* that signals may wait while there is always a next request */
};

static const char *fcgi_param(struct io *io, const char *name)
{
    struct io_fcgi *f = (struct io_fcgi *)io;

    return FCGX_GetParam(name, f->request.envp);
}

static bool fcgi_differs(struct io *io, const char *name)
{
    char **all = ((struct io_fcgi *)io)->request.envp;
    const char *first = fcgi_param(io, name);
    size_t n = strlen(name);

    for (; first != NULL && *all != NULL; all++)
        if (strncmp(*all, name, n) == 0 && (*all)[n] == '=' && strcmp(*all + n + 1, first) != 0)
            return true;
    return false;
}

/* Reads bytes that have come, or else the next ones: libfcgi by itself would wait until there are as many as
 * asked for, however slowly they come. A request that is not whole in time is broken. */
static size_t fcgi_read(struct io *io, void *to, size_t max)
{
    struct io_fcgi *f = (struct io_fcgi *)io;
    const FCGX_Stream *in = f->request.in;
    size_t here = (size_t)(in->stop - in->rdNext);
    int n;

    if (io->broken)
        return 0;
    n = FCGX_GetStr(to, here == 0 ? 1 : (int)(max < here ? max : here), f->request.in);
    /* Apache ends the stream like a complete one when a client breaks off; libfcgi knows better. */
    if (FCGX_GetError(f->request.in) != 0 || (n > 0 && clock_mono_ms() > f->read_until_ms))
        io->broken = true;
    return n > 0 ? (size_t)n : 0;
}

static FCGI_Header record_header(const struct io_fcgi *f, unsigned char type, size_t len)
{
    return (FCGI_Header){ .version = FCGI_VERSION_1,
                          .type = type,
                          .requestIdB1 = (unsigned char)(f->request.requestId >> 8),
                          .requestIdB0 = (unsigned char)f->request.requestId,
                          .contentLengthB1 = (unsigned char)(len >> 8),
                          .contentLengthB0 = (unsigned char)len };
}

/* Until when the answer may go on: longer by what was accepted of it. */
static int64_t write_left_ms(const struct io_fcgi *f)
{
    return f->write_since_ms + WRITE_MS + (int64_t)f->written / WRITE_BYTES_A_MS - clock_mono_ms();
}

/* Waits until the connection takes more; false when the time is over. */
static bool write_await(const struct io_fcgi *f)
{
    struct pollfd p = { .fd = f->request.ipcFd, .events = POLLOUT };
    int64_t left;
    int n = 0;

    do {
        left = write_left_ms(f);
        n = left > 0 ? poll(&p, 1, (int)left) : 0;
    } while (n < 0 && errno == EINTR);
    return n > 0;
}

/* Sends the gathered bytes, and `behind` bytes after them. A connection that takes no more is given up. */
static void record_send(struct io_fcgi *f, size_t behind)
{
    const unsigned char *at = (const unsigned char *)&f->record;
    size_t left = sizeof f->record.header + f->len + behind;
    ssize_t n;

    f->record.header = record_header(f, FCGI_STDOUT, f->len);
    f->len = 0;
    if (f->write_since_ms == 0)
        f->write_since_ms = clock_mono_ms();
    while (left > 0 && !f->given_up) {
        n = send(f->request.ipcFd, at, left, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            left -= (size_t)n;
            f->written += (size_t)n;
        } else if (errno != EINTR) {
            f->given_up = (errno != EAGAIN && errno != EWOULDBLOCK) || !write_await(f);
        }
    }
    if (f->given_up)
        f->request.keepConnection = 0;
}

static void fcgi_write(struct io *io, const void *from, size_t n)
{
    struct io_fcgi *f = (struct io_fcgi *)io;
    const unsigned char *at = from;
    size_t part;

    for (; n > 0; at += part, n -= part) {
        if (f->len == IO_FCGI_CONTENT)
            record_send(f, 0);
        part = n < IO_FCGI_CONTENT - f->len ? n : IO_FCGI_CONTENT - f->len;
        memcpy(f->record.content + f->len, at, part);
        f->len += part;
    }
}

/* EPOLLEXCLUSIVE wakes one of those that wait: the first of them, in the order in which they began to watch.
 */
static int socket_watch(int listen_fd)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLEXCLUSIVE };
    int fd = epoll_create1(EPOLL_CLOEXEC);

    return fd < 0 || fcntl(listen_fd, F_SETFL, O_NONBLOCK) != 0 ||
                   epoll_ctl(fd, EPOLL_CTL_ADD, listen_fd, &event) != 0
               ? -1
               : fd;
}

bool io_fcgi_init(struct io_fcgi *f, int listen_fd, const struct cpu_slots *cpu_slots)
{
    f->io =
        (struct io){ .param = fcgi_param, .differs = fcgi_differs, .read = fcgi_read, .write = fcgi_write };
    f->cpu_slots = cpu_slots;
    f->epoll_fd = socket_watch(listen_fd);
    return f->epoll_fd >= 0 && FCGX_Init() == 0 &&
           FCGX_InitRequest(&f->request, listen_fd, FCGI_FAIL_ACCEPT_ON_INTR) == 0;
}

/* 1: a request, unless another process is faster; 0: the time is over; -1: stopped. */
static int socket_wait(const struct io_fcgi *f, int timeout_ms)
{
    struct epoll_event event;
    int n;

    do {
        n = epoll_pwait(f->epoll_fd, &event, 1, timeout_ms, &initial_mask);
    } while (n < 0 && errno == EINTR && !stop_asked);
    return n;
}

/* 0, or -errno. The deadline is why signals have to be blocked: a read that has one is not restarted after a
 * signal, and libfcgi drops the connection. One that libfcgi finds open it takes, provided that it seems to
 * be a kept one. */
static int request_accept(FCGX_Request *rq)
{
    static const struct timeval silence = { .tv_sec = READ_SILENCE_S };

    if (rq->ipcFd < 0) {
        rq->ipcFd = accept4(rq->listen_sock, NULL, NULL, SOCK_CLOEXEC);
        rq->keepConnection = 1;
        if (rq->ipcFd >= 0)
            (void)setsockopt(rq->ipcFd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
    }
    return rq->ipcFd < 0 ? -errno : FCGX_Accept_r(rq);
}

/* A process that is stopped looks once more: a request that woke it would wake no other. */
enum io_fcgi_event io_fcgi_accept(struct io_fcgi *f, int timeout_ms)
{
    int rc = request_accept(&f->request), n = 1;

    f->io.broken = false;
    if (rc == 0 && clock_mono_ms() - f->signals_ms >= SIGNALS_MS) { /* no wait in which they would come */
        signals_take();
        f->signals_ms = clock_mono_ms();
    }
    for (; rc == -EAGAIN && n > 0; rc = request_accept(&f->request)) {
        n = socket_wait(f, timeout_ms);
        if (n > 0)
            cpu_slots_await(f->cpu_slots);
    }
    f->read_until_ms = clock_mono_ms() + READ_MS;
    f->write_since_ms = 0;
    f->written = 0;
    f->given_up = false;
    return rc == 0 ? IO_FCGI_REQUEST : n == 0 ? IO_FCGI_IDLE : IO_FCGI_END;
}

/* The request has been read to the end, so that the connection can be closed at once; libfcgi would wait
 * until the web server has closed it. */
void io_fcgi_finish(struct io_fcgi *f)
{
    const struct io_fcgi_end end = {
        .end_of_content = record_header(f, FCGI_STDOUT, 0),
        .end_of_request = { .header = record_header(f, FCGI_END_REQUEST, sizeof(FCGI_EndRequestBody)),
                            .body = { .protocolStatus = FCGI_REQUEST_COMPLETE } },
    };

    memcpy(f->record.content + f->len, &end, sizeof end);
    record_send(f, sizeof end);
    FCGX_Detach(&f->request);
    FCGX_Free(&f->request, !f->request.keepConnection || f->io.broken);
}

void io_fcgi_leave(struct io_fcgi *f)
{
    f->len = 0;
    FCGX_Detach(&f->request);
    FCGX_Free(&f->request, true);
}

static bool is_named(const char *variable, const struct io_fcgi_param *params, size_t n)
{
    size_t len = strcspn(variable, "=");

    for (size_t i = 0; i < n; i++)
        if (strlen(params[i].name) == len && strncmp(params[i].name, variable, len) == 0)
            return true;
    return variable[len] == '\0';
}

void io_fcgi_repeat(const struct io_fcgi *f, struct buf *out, const struct io_fcgi_param *params, size_t n,
                    const void *body, size_t body_len)
{
    unsigned id = (unsigned)f->request.requestId;
    struct buf variables = BUF_INIT(out->max);

    for (char **all = f->request.envp; *all != NULL; all++)
        if (!is_named(*all, params, n))
            records_add_param(&variables, *all, strcspn(*all, "="), strchr(*all, '=') + 1);
    for (size_t i = 0; i < n; i++)
        if (params[i].value != NULL)
            records_add_param(&variables, params[i].name, strlen(params[i].name), params[i].value);
    records_begin_request(out, id);
    records_add(out, id, FCGI_PARAMS, buf_text(&variables), variables.len);
    records_end(out, id, FCGI_PARAMS);
    records_add(out, id, FCGI_STDIN, body, body_len);
    records_end(out, id, FCGI_STDIN);
    out->overflow = out->overflow || variables.overflow;
    buf_free(&variables);
}
