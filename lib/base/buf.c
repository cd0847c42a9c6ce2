#include "base/buf.h"

#include <stdarg.h>

#include "base/log.h"

enum { FIRST_CAP = 256 };

void buf_free(struct buf *b)
{
    free(b->data);
    b->data = NULL;
    b->cap = 0;
    buf_reset(b);
}

void buf_reset(struct buf *b)
{
    b->len = 0;
    b->overflow = false;
    if (b->data != NULL)
        b->data[0] = '\0';
}

/* Room for n more bytes and the terminator. Once something was dropped all that follows is dropped too, since
 * text with a hole in it is worse than text that ends early. */
static bool reserve(struct buf *b, size_t n)
{
    size_t need, cap = b->cap > 0 ? b->cap : FIRST_CAP;
    char *data;

    if (b->overflow || n > b->max - b->len) {
        b->overflow = true;
        return false;
    }
    need = b->len + n + 1;
    if (need <= b->cap)
        return true;
    while (cap < need)
        cap *= 2;
    if (cap > b->max + 1)
        cap = b->max + 1;
    data = realloc(b->data, cap);
    if (data == NULL)
        log_fatal("out_of_memory", "out of memory: %zu bytes", cap);
    b->data = data;
    b->cap = cap;
    return true;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
    if (!reserve(b, n))
        return;
    if (n > 0)
        memcpy(b->data + b->len, p, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_addc(struct buf *b, uint8_t c)
{
    buf_add(b, &c, 1);
}

void buf_adds(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        log_fatal("program_broken", "cannot format: %s", fmt);
    if (!reserve(b, (size_t)n))
        return;
    va_start(ap, fmt);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
}

const char *buf_text(const struct buf *b)
{
    return b->data != NULL ? b->data : "";
}
