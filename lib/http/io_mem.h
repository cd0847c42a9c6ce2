/* A transport in memory, for tests and fuzz targets: what is asked, and what was answered. */
#ifndef HTTP_IO_MEM_H
#define HTTP_IO_MEM_H

#include "base/buf.h"
#include "http/io.h"

struct io_mem {
    struct io io;              /* first: a struct io * is a struct io_mem * */
    const char *const *params; /* "NAME=value" …, NULL */
    const char *body;
    size_t body_len;
    size_t read_at;
    struct buf out; /* owned */
};

void io_mem_init(struct io_mem *m, const char *const *params, const char *body, size_t body_len);
void io_mem_free(struct io_mem *m);

#endif
