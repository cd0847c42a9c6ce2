#include "http/io_mem.h"

#include <string.h>

static const char *mem_param(struct io *io, const char *name)
{
    const struct io_mem *m = (const struct io_mem *)io;
    size_t n = strlen(name);

    for (const char *const *p = m->params; p != NULL && *p != NULL; p++)
        if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
            return *p + n + 1;
    return NULL;
}

static bool mem_differs(struct io *io, const char *name)
{
    const struct io_mem *m = (const struct io_mem *)io;
    const char *first = mem_param(io, name);
    size_t n = strlen(name);

    for (const char *const *p = m->params; first != NULL && p != NULL && *p != NULL; p++)
        if (strncmp(*p, name, n) == 0 && (*p)[n] == '=' && strcmp(*p + n + 1, first) != 0)
            return true;
    return false;
}

static size_t mem_read(struct io *io, void *to, size_t max)
{
    struct io_mem *m = (struct io_mem *)io;
    size_t n = m->body_len - m->read_at;

    if (n > max)
        n = max;
    memcpy(to, m->body + m->read_at, n);
    m->read_at += n;
    return n;
}

static void mem_write(struct io *io, const void *from, size_t n)
{
    buf_add(&((struct io_mem *)io)->out, from, n);
}

void io_mem_init(struct io_mem *m, const char *const *params, const char *body, size_t body_len)
{
    *m = (struct io_mem){
        .io = { .param = mem_param, .differs = mem_differs, .read = mem_read, .write = mem_write },
        .params = params,
        .body = body == NULL ? "" : body,
        .body_len = body_len,
        .out = BUF_INIT(MAX_UPSTREAM),
    };
}

void io_mem_free(struct io_mem *m)
{
    buf_free(&m->out);
}
