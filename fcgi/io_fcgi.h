/* The way in through FastCGI, with libfcgi. */
#ifndef FCGI_IO_FCGI_H
#define FCGI_IO_FCGI_H

#include <fcgiapp.h>
#include <stdbool.h>

#include "http/io.h"

struct io_fcgi {
    struct io io; /* first: a struct io * is a struct io_fcgi * */
    FCGX_Request request;
};

bool io_fcgi_init(struct io_fcgi *f, int listen_fd);
/* Waits for the next request; false when the process shall end. */
bool io_fcgi_accept(struct io_fcgi *f);
void io_fcgi_finish(struct io_fcgi *f);

#endif
