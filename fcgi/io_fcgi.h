/* The way in through FastCGI, with libfcgi. */
#ifndef FCGI_IO_FCGI_H
#define FCGI_IO_FCGI_H

#include <fastcgi.h>
#include <fcgiapp.h>
#include <stdbool.h>

#include "base/buf.h"
#include "http/io.h"

enum { IO_FCGI_CONTENT = 32 * 1024 };

/* Both are bytes alone, without padding. */
struct io_fcgi_end {
    FCGI_Header end_of_content;
    FCGI_EndRequestRecord end_of_request;
};
struct io_fcgi_record {
    FCGI_Header header;
    unsigned char content[IO_FCGI_CONTENT + sizeof(struct io_fcgi_end)];
};

struct cpu_slots;

struct io_fcgi {
    struct io io; /* first: a struct io * is a struct io_fcgi * */
    FCGX_Request request;
    int epoll_fd;                      /* watches the listening socket */
    const struct cpu_slots *cpu_slots; /* that this process awaits when it is woken; NULL: none */
    /* The answer, less its full records. Those of libfcgi hold 8 KB, and each is a turn of the web server. */
    struct io_fcgi_record record;
    size_t len;             /* of its content */
    int64_t signals_ms;     /* when signals were last taken without a wait */
    int64_t read_until_ms;  /* the whole request has to be here */
    int64_t write_since_ms; /* the first of the answer was sent; 0: not yet */
    size_t written;         /* of it, and accepted */
    bool given_up;          /* it was not read in time, or the connection broke */
};

enum io_fcgi_event {
    IO_FCGI_REQUEST,
    IO_FCGI_IDLE, /* the time is over */
    IO_FCGI_END,  /* stopped, or the socket is broken */
};

/* If several processes wait at the socket, the one that came first gets the next request: no more work than
 * are needed, and the others stay as small as they were forked. */
bool io_fcgi_init(struct io_fcgi *f, int listen_fd, const struct cpu_slots *cpu_slots);
/* Waits for the next request, at most for `timeout_ms`; -1: for ever. The caller holds the signals
 * (signals.h), of which one that stops ends the wait; a request that accept was woken for it still returns.
 */
enum io_fcgi_event io_fcgi_accept(struct io_fcgi *f, int timeout_ms);
void io_fcgi_finish(struct io_fcgi *f);
/* Ends the work on a request whose connection another process has taken over, without an answer. */
void io_fcgi_leave(struct io_fcgi *f);
/* The request as it came, but for the body, as a whole one for another worker: with these variables in place
 * of those that have their names. */
struct io_fcgi_param {
    const char *name, *value;
};
void io_fcgi_repeat(const struct io_fcgi *f, struct buf *out, const struct io_fcgi_param *params, size_t n,
                    const void *body, size_t body_len);

#endif
