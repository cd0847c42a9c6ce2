/* One exchange with the web server, over any transport: FastCGI, plain CGI, or memory in tests. */
#ifndef HTTP_IO_H
#define HTTP_IO_H

#include <stdbool.h>
#include <stddef.h>

struct io {
    /* A CGI meta-variable such as REQUEST_METHOD or HTTP_AUTHORIZATION; NULL when absent. */
    const char *(*param)(struct io *io, const char *name);
    /* Whether it is there twice, with different values: some web servers make one variable of
     * X-Forwarded-For, X_Forwarded_For and X.Forwarded.For. NULL: it cannot be. */
    bool (*differs)(struct io *io, const char *name);
    size_t (*read)(struct io *io, void *to, size_t max); /* body bytes; 0 at its end */
    void (*write)(struct io *io, const void *from, size_t n);
    bool broken; /* set by read: the client disconnected before the end of the body */
};

#endif
